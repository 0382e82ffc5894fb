//! The records of a run: series.csv, frames and their lists. They are deterministic, so a run that is resumed writes the
//! same bytes again.

use crate::columns::Seen;
use crate::folder::{CONTACTS, Folder, GRAINS, SERIES, frame_name};
use crate::progress::Lengths;
use hardgrain::{Dimension, Packing};
use hardgrain_io::record::{Collection, Series, Trouble, contacts, grains, write_whole};
use hardgrain_io::scene::{FramePlan, Quantity, Record, SeriesPlan};
use rayon::ThreadPool;
use std::fs::File;
use std::path::PathBuf;

/// All that is being written.
pub(crate) struct Records<'a> {
    folder: &'a Folder,
    plan: &'a Record,
    pool: &'a ThreadPool,
    series: Option<Series>,
    grains: Option<Collection>,
    contacts: Option<Collection>,
    // Frames that are not on the disk for certain yet.
    pending: Vec<PathBuf>,
    pub bytes: u64,
}

impl<'a> Records<'a> {
    /// New records.
    pub(crate) fn create(folder: &'a Folder, plan: &'a Record, pool: &'a ThreadPool) -> Result<Self, Trouble> {
        let mut records = Self::empty(folder, plan, pool);
        if let Some(SeriesPlan { columns, .. }) = &plan.series {
            let headings: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
            records.series = Some(Series::create(&folder.file(SERIES), &headings)?);
        }
        if let Some(frames) = plan.frames {
            records.grains = Some(Collection::create(&folder.file("grains.pvd"))?);
            records.contacts = frames.contacts.then(|| Collection::create(&folder.file("contacts.pvd"))).transpose()?;
        }
        Ok(records)
    }

    /// Records that were so long at the checkpoint; what came later is cut off.
    pub(crate) fn resume(
        folder: &'a Folder,
        plan: &'a Record,
        pool: &'a ThreadPool,
        lengths: Lengths,
    ) -> Result<Self, Trouble> {
        let mut records = Self::empty(folder, plan, pool);
        if plan.series.is_some() {
            records.series = Some(Series::resume(&folder.file(SERIES), lengths.series)?);
        }
        if let Some(frames) = plan.frames {
            records.grains = Some(Collection::resume(&folder.file("grains.pvd"), lengths.grains)?);
            let list = || Collection::resume(&folder.file("contacts.pvd"), lengths.contacts);
            records.contacts = frames.contacts.then(list).transpose()?;
        }
        Ok(records)
    }

    fn empty(folder: &'a Folder, plan: &'a Record, pool: &'a ThreadPool) -> Self {
        Self { folder, plan, pool, series: None, grains: None, contacts: None, pending: Vec::new(), bytes: 0 }
    }

    /// Whether some column needs to know how far from balance the packing is.
    pub(crate) fn wants_balance(plan: &Record) -> bool {
        plan.series.iter().flat_map(|series| &series.columns).any(|column| column.quantity == Quantity::Unbalanced)
    }

    /// Writes what is due at this step.
    pub(crate) fn write<D: Dimension>(&mut self, seen: &Seen<D>) -> Result<(), Trouble> {
        let step = seen.packing.step;
        if let (Some(series), Some(plan)) = (&mut self.series, &self.plan.series)
            && step.is_multiple_of(plan.every)
        {
            for column in &plan.columns {
                seen.write(&column.quantity, series);
            }
            series.end_row()?;
        }
        match self.plan.frames {
            Some(FramePlan { every, contacts }) if step.is_multiple_of(every) => self.frame(seen.packing, contacts),
            _ => Ok(()),
        }
    }

    fn frame<D: Dimension>(&mut self, packing: &Packing<D>, with_contacts: bool) -> Result<(), Trouble> {
        let (of_grains, of_contacts) = self
            .pool
            .install(|| rayon::join(|| grains(packing), || if with_contacts { contacts(packing) } else { Vec::new() }));
        let frames = [(GRAINS, of_grains, &mut self.grains), (CONTACTS, of_contacts, &mut self.contacts)];
        for (of, bytes, list) in frames {
            let Some(list) = list else { continue };
            let name = frame_name(of, packing.step);
            let path = self.folder.file(&name);
            write_whole(&path, &bytes, false)?;
            list.add(packing.time, &name)?;
            self.pending.push(path);
            self.bytes += bytes.len() as u64;
        }
        Ok(())
    }

    /// Lets others read what is written so far.
    pub(crate) fn flush(&mut self) -> Result<(), Trouble> {
        self.series.as_mut().map_or(Ok(()), Series::flush)
    }

    /// Brings everything to the disk and says how long the files are.
    pub(crate) fn sync(&mut self) -> Result<Lengths, Trouble> {
        for path in self.pending.drain(..) {
            let synced = File::open(&path).and_then(|file| file.sync_all());
            synced.map_err(|error| Trouble::new(&path, "write", error))?;
        }
        let length = |list: &mut Option<Collection>| list.as_mut().map_or(Ok(0), Collection::sync);
        Ok(Lengths {
            series: self.series.as_mut().map_or(Ok(0), Series::sync)?,
            grains: length(&mut self.grains)?,
            contacts: length(&mut self.contacts)?,
        })
    }
}
