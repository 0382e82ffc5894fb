//! The table of a study as Parquet, for those who read it with pandas, polars or DuckDB: the columns of summary.csv, numbers as numbers.

use super::gather::{Cell, Gathered};
use parquet::basic::{LogicalType, Repetition, Type as Kept};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::Type;
use std::sync::Arc;

/// A column; what is not known is nothing.
enum Column {
    Whole(Vec<Option<i64>>),
    Numbers(Vec<Option<f64>>),
    Texts(Vec<Option<String>>),
}

impl Column {
    /// What was typed: whole numbers if all are, numbers if all are.
    fn typed<'a>(values: impl Iterator<Item = &'a str> + Clone) -> Self {
        let whole: Option<Vec<_>> = values.clone().map(|value| value.parse().ok().map(Some)).collect();
        let numbers = || values.clone().map(|value| value.parse().ok().map(Some)).collect::<Option<Vec<_>>>();
        match (whole, numbers()) {
            (Some(whole), _) => Self::Whole(whole),
            (None, Some(numbers)) => Self::Numbers(numbers),
            (None, None) => Self::texts(values.map(str::to_owned)),
        }
    }

    /// What was looked at: numbers, unless any is a text.
    fn cells<'a>(cells: impl Iterator<Item = &'a Cell> + Clone) -> Self {
        if cells.clone().any(|cell| matches!(cell, Cell::Text(_))) {
            let text = |cell: &Cell| match cell {
                Cell::Number(value) => Some(value.to_string()),
                Cell::Whole(value) => Some(value.to_string()),
                Cell::Text(text) => Some(text.clone()),
                Cell::Nothing => None,
            };
            Self::Texts(cells.map(text).collect())
        } else if cells.clone().any(|cell| matches!(cell, Cell::Number(_))) {
            Self::Numbers(cells.map(Cell::number).collect())
        } else {
            let whole = |cell: &Cell| if let Cell::Whole(value) = cell { Some(*value) } else { None };
            Self::Whole(cells.map(whole).collect())
        }
    }

    /// An empty text is nothing.
    fn texts(texts: impl Iterator<Item = String>) -> Self {
        Self::Texts(texts.map(|text| Some(text).filter(|text| !text.is_empty())).collect())
    }

    fn schema(&self, name: &str) -> Result<Type, ParquetError> {
        let (kept, means) = match self {
            Self::Whole(_) => (Kept::INT64, None),
            Self::Numbers(_) => (Kept::DOUBLE, None),
            Self::Texts(_) => (Kept::BYTE_ARRAY, Some(LogicalType::String)),
        };
        Type::primitive_type_builder(name, kept).with_repetition(Repetition::OPTIONAL).with_logical_type(means).build()
    }

    fn write(self, group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>) -> Result<(), ParquetError> {
        match self {
            Self::Whole(values) => written::<Int64Type>(group, values),
            Self::Numbers(values) => written::<DoubleType>(group, values),
            Self::Texts(values) => {
                let bytes = |text: Option<String>| text.map(|text| ByteArray::from(text.into_bytes()));
                written::<ByteArrayType>(group, values.into_iter().map(bytes).collect())
            }
        }
    }
}

fn written<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, &mut Vec<u8>>,
    values: Vec<Option<T::T>>,
) -> Result<(), ParquetError> {
    let known: Vec<i16> = values.iter().map(|value| value.is_some().into()).collect();
    let values: Vec<T::T> = values.into_iter().flatten().collect();
    let Some(mut column) = group.next_column()? else {
        return Err(ParquetError::General("there are more columns than were announced".into()));
    };
    column.typed::<T>().write_batch(&values, Some(&known), None)?;
    column.close()
}

impl Gathered {
    /// The table as a Parquet file.
    ///
    /// # Errors
    /// When it cannot be written that way: two columns have the same name.
    pub fn parquet(&self) -> Result<Vec<u8>, String> {
        self.in_parquet().map_err(|error| format!("the table cannot be written as Parquet: {error}"))
    }

    fn in_parquet(&self) -> Result<Vec<u8>, ParquetError> {
        let columns = self.columns();
        let fields = columns.iter().map(|(name, column)| column.schema(name).map(Arc::new));
        let schema = Type::group_type_builder("study").with_fields(fields.collect::<Result<_, _>>()?).build()?;
        let maker = concat!("hardgrain ", env!("CARGO_PKG_VERSION"));
        let properties = WriterProperties::builder().set_created_by(maker.into()).build();
        let mut bytes = Vec::new();
        let mut file = SerializedFileWriter::new(&mut bytes, Arc::new(schema), Arc::new(properties))?;
        let mut group = file.next_row_group()?;
        for (_, column) in columns {
            column.write(&mut group)?;
        }
        group.close()?;
        file.close()?;
        Ok(bytes)
    }

    fn columns(&self) -> Vec<(&str, Column)> {
        let lines = &self.lines;
        let varied = self.keys.iter().enumerate().map(|(place, key)| {
            (key.as_str(), Column::typed(lines.iter().map(move |line| line.values[place].as_str())))
        });
        let observed = self
            .observed
            .iter()
            .enumerate()
            .map(|(place, name)| (name.as_str(), Column::cells(lines.iter().map(move |line| &line.cells[place]))));
        let run = Column::texts(lines.iter().map(|line| line.run.clone()));
        let status = Column::texts(lines.iter().map(|line| line.status.word().to_owned()));
        let [physics, numerics] =
            [0, 1].map(|which| Column::texts(lines.iter().map(|line| line.fingerprints_in_words()[which].clone())));
        let reason = Column::texts(lines.iter().map(|line| line.reason.clone()));
        let last = [("physics", physics), ("numerics", numerics), ("reason", reason)];
        varied.chain([("run", run), ("status", status)]).chain(observed).chain(last).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{Line, Status};
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    #[test]
    fn a_table_reads_back() {
        let line = |seed: &str, cell: Cell, status| Line {
            values: vec!["0.5".into(), seed.into()],
            run: format!("seed={seed}"),
            status,
            cells: vec![cell, Cell::Text("a, \"b\"".into())],
            fingerprints: None,
            reason: String::new(),
        };
        let lines = vec![line("1", Cell::Number(-2.5e-300), Status::Done), line("2", Cell::Nothing, Status::Missing)];
        let table = Gathered {
            keys: vec!["contact.friction".into(), "seed".into()],
            observed: vec!["last:chain[-1].x".into(), "state_hash".into()],
            lines,
        };
        let path = std::env::temp_dir().join(format!("hardgrain-{}.parquet", std::process::id()));
        std::fs::write(&path, table.parquet().unwrap()).unwrap();
        let file = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        std::fs::remove_file(&path).unwrap();
        let rows: Vec<Vec<(String, Field)>> =
            file.get_row_iter(None).unwrap().map(|row| row.unwrap().into_columns()).collect();
        let names: Vec<&str> = rows[0].iter().map(|(name, _)| name.as_str()).collect();
        let header = table.csv().lines().next().unwrap().to_owned();
        assert_eq!(names.join(","), header, "the same columns as in summary.csv");
        let field = |row: usize, name: &str| rows[row].iter().find(|(known, _)| known == name).unwrap().1.clone();
        assert_eq!(field(0, "seed"), Field::Long(1));
        assert_eq!(field(1, "contact.friction"), Field::Double(0.5));
        assert_eq!(field(0, "last:chain[-1].x"), Field::Double(-2.5e-300));
        assert_eq!(field(1, "last:chain[-1].x"), Field::Null);
        assert_eq!(field(0, "state_hash"), Field::Str("a, \"b\"".into()));
        assert_eq!(field(1, "status"), Field::Str("missing".into()));
        assert_eq!((rows.len(), field(0, "reason")), (2, Field::Null));
    }
}
