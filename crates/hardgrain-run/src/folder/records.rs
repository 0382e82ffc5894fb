//! The records of a run: series.csv and frames. They are functions of the state, so a resumed run writes the same bytes.

use super::checkpoint::FileLengths;
use super::frames::FrameRecorder;
use super::{RunFolder, SERIES};
use crate::simulation::columns::StepView;
use hardgrain::Dimension;
use hardgrain_io::record::{SeriesFile, Trouble};
use hardgrain_io::scene::{RecordPlan, SeriesPlan};

/// The open record files.
pub(crate) struct Records<D: Dimension> {
    plan: RecordPlan,
    series: Option<SeriesFile>,
    frames: Option<FrameRecorder<D>>,
    /// Bytes of frames written since the last checkpoint.
    pub frame_bytes: u64,
}

impl<D: Dimension> Records<D> {
    /// Creates the records; or continues those of a checkpoint, cut to their lengths then.
    pub(crate) fn new(
        folder: &RunFolder,
        plan: RecordPlan,
        from: Option<FileLengths>,
        threads: usize,
    ) -> Result<Self, Trouble> {
        let path = folder.file(SERIES);
        let open = |SeriesPlan { columns, .. }: &SeriesPlan| {
            let headings: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
            from.map_or_else(
                || SeriesFile::create(&path, &headings),
                |lengths| SeriesFile::resume(&path, lengths.series),
            )
        };
        let series = plan.series.as_ref().map(open).transpose()?;
        let frames =
            plan.frames.map(|frames| FrameRecorder::new(folder, frames.contacts, from, threads)).transpose()?;
        Ok(Self { plan, series, frames, frame_bytes: 0 })
    }

    /// Writes the records due at this step.
    pub(crate) fn write(&mut self, seen: &StepView<D>) -> Result<(), Trouble> {
        let step = seen.packing.step;
        if let (Some(series), Some(plan)) = (&mut self.series, &self.plan.series)
            && step.is_multiple_of(plan.every)
        {
            for column in &plan.columns {
                seen.write(&column.quantity, series);
            }
            series.end_row()?;
        }
        if let (Some(frames), Some(plan)) = (&mut self.frames, &self.plan.frames)
            && step.is_multiple_of(plan.every)
        {
            frames.write(seen.packing)?;
        }
        Ok(())
    }

    /// Flushes buffered rows.
    pub(crate) fn flush(&mut self) -> Result<(), Trouble> {
        self.series.as_mut().map_or(Ok(()), SeriesFile::flush)
    }

    /// Syncs all files to disk and returns their lengths.
    pub(crate) fn sync(&mut self) -> Result<FileLengths, Trouble> {
        let (lengths, bytes) = self.frames.as_mut().map_or(Ok((FileLengths::default(), 0)), FrameRecorder::sync)?;
        self.frame_bytes += bytes;
        let series = self.series.as_mut().map_or(Ok(0), SeriesFile::sync)?;
        Ok(FileLengths { series, ..lengths })
    }
}
