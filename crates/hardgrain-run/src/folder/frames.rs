//! Frames for ParaView. With two threads or more they are encoded and written beside the run, which only hands over a copy
//! of the packing.

use super::checkpoint::Lengths;
use super::{CONTACTS, Folder, GRAINS, frame_name};
use hardgrain::{Dimension, Packing};
use hardgrain_io::record::{Collection, Trouble, contacts, grains, write_whole};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;

/// What writes frames.
pub(crate) enum Frames<D: Dimension> {
    /// The thread that makes the steps.
    Here(Writer),
    /// Another one.
    Beside(Beside<D>),
}

/// Frames, and the lists of them.
pub(crate) struct Writer {
    folder: PathBuf,
    grains: Collection,
    contacts: Option<Collection>,
    bytes: u64,
}

/// A thread that writes frames: what it is told, and what it answers.
pub(crate) struct Beside<D: Dimension> {
    tasks: SyncSender<Task<D>>,
    answers: Receiver<Answer>,
}

enum Task<D: Dimension> {
    Write(Box<Packing<D>>),
    Sync,
}

/// How long the lists are and how many bytes of frames were written since the last answer; or what went wrong.
type Answer = Result<(Lengths, u64), Trouble>;

impl<D: Dimension> Frames<D> {
    /// Starts new lists, or goes on with lists that were so long.
    pub(crate) fn new(
        folder: &Folder,
        with_contacts: bool,
        from: Option<Lengths>,
        threads: usize,
    ) -> Result<Self, Trouble> {
        let list = |of: &str, length: fn(&Lengths) -> u64| {
            let path = folder.file(&format!("{of}.pvd"));
            from.as_ref().map_or_else(|| Collection::create(&path), |from| Collection::resume(&path, length(from)))
        };
        let writer = Writer {
            folder: folder.path.clone(),
            grains: list(GRAINS, |lengths| lengths.grains)?,
            contacts: with_contacts.then(|| list(CONTACTS, |lengths| lengths.contacts)).transpose()?,
            bytes: 0,
        };
        Ok(if threads > 1 { Self::Beside(Beside::new(writer)) } else { Self::Here(writer) })
    }

    /// Writes a frame, now or soon.
    pub(crate) fn write(&mut self, packing: &Packing<D>) -> Result<(), Trouble> {
        match self {
            Self::Here(writer) => writer.write(packing),
            Self::Beside(beside) => beside.tell(Task::Write(Box::new(packing.clone()))),
        }
    }

    /// Waits until all frames are on the disk, and says how long their lists are and how many bytes they have got.
    pub(crate) fn sync(&mut self) -> Answer {
        match self {
            Self::Here(writer) => writer.sync(),
            Self::Beside(beside) => {
                beside.tell(Task::Sync)?;
                beside.answer()
            }
        }
    }
}

impl<D: Dimension> Beside<D> {
    fn new(mut writer: Writer) -> Self {
        // One frame may wait while another is written; a faster run waits, so that memory stays bounded.
        let (tasks, inbox) = sync_channel(1);
        let (outbox, answers) = channel();
        thread::spawn(move || {
            for task in inbox {
                let answer = match task {
                    Task::Write(packing) => writer.write(&packing).err().map(Err),
                    Task::Sync => Some(writer.sync()),
                };
                let failed = matches!(answer, Some(Err(_)));
                // Nobody listens any more when the run is over.
                if answer.is_some_and(|answer| outbox.send(answer).is_err()) || failed {
                    return;
                }
            }
        });
        Self { tasks, answers }
    }

    fn tell(&self, task: Task<D>) -> Result<(), Trouble> {
        // A writer that has gone has left the reason.
        self.tasks.send(task).or_else(|_| self.answer().map(|_| ()))
    }

    fn answer(&self) -> Answer {
        self.answers.recv().expect("the writer says why it goes")
    }
}

impl Writer {
    fn write<D: Dimension>(&mut self, packing: &Packing<D>) -> Result<(), Trouble> {
        let name = frame_name(GRAINS, packing.step);
        let bytes = grains(packing);
        write_whole(&self.folder.join(&name), &bytes, true)?;
        self.grains.add(packing.time, &name)?;
        self.bytes += bytes.len() as u64;
        if let Some(list) = &mut self.contacts {
            let name = frame_name(CONTACTS, packing.step);
            let bytes = contacts(packing);
            write_whole(&self.folder.join(&name), &bytes, true)?;
            list.add(packing.time, &name)?;
            self.bytes += bytes.len() as u64;
        }
        Ok(())
    }

    fn sync(&mut self) -> Answer {
        let grains = self.grains.sync()?;
        let contacts = self.contacts.as_mut().map_or(Ok(0), Collection::sync)?;
        Ok((Lengths { grains, contacts, series: 0 }, std::mem::take(&mut self.bytes)))
    }
}
