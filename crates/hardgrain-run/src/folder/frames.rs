//! Frames for ParaView. With two or more threads they are encoded and written by a thread of their own, which receives a copy
//! of the packing.

use super::checkpoint::FileLengths;
use super::{CONTACTS, GRAINS, RunFolder, frame_name};
use hardgrain::{Dimension, Packing};
use hardgrain_io::record::{Collection, Trouble, contacts, grains, write_whole};
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;

/// Writes frames, on one thread or another.
pub(crate) enum FrameRecorder<D: Dimension> {
    /// On the thread that makes the steps.
    Here(FrameWriter),
    /// On a thread of its own.
    WriterThread(WriterThread<D>),
}

/// Writes frames and their lists.
pub(crate) struct FrameWriter {
    folder: PathBuf,
    grains: Collection,
    contacts: Option<Collection>,
    bytes: u64,
}

/// A thread that writes frames: the channels of its tasks and answers.
pub(crate) struct WriterThread<D: Dimension> {
    tasks: SyncSender<FrameTask<D>>,
    answers: Receiver<FrameAnswer>,
}

enum FrameTask<D: Dimension> {
    Write(Box<Packing<D>>),
    Sync,
}

/// Lengths of the lists, and bytes of frames since the last answer; or the error.
type FrameAnswer = Result<(FileLengths, u64), Trouble>;

impl<D: Dimension> FrameRecorder<D> {
    /// Creates the lists, or continues those of a checkpoint, cut to their lengths then.
    pub(crate) fn new(
        folder: &RunFolder,
        with_contacts: bool,
        from: Option<FileLengths>,
        threads: usize,
    ) -> Result<Self, Trouble> {
        let list = |kind: &str, length: fn(&FileLengths) -> u64| {
            let path = folder.file(&format!("{kind}.pvd"));
            from.as_ref().map_or_else(|| Collection::create(&path), |from| Collection::resume(&path, length(from)))
        };
        let writer = FrameWriter {
            folder: folder.path.clone(),
            grains: list(GRAINS, |lengths| lengths.grains)?,
            contacts: with_contacts.then(|| list(CONTACTS, |lengths| lengths.contacts)).transpose()?,
            bytes: 0,
        };
        Ok(if threads > 1 { Self::WriterThread(WriterThread::new(writer)) } else { Self::Here(writer) })
    }

    /// Writes or queues a frame.
    pub(crate) fn write(&mut self, packing: &Packing<D>) -> Result<(), Trouble> {
        match self {
            Self::Here(writer) => writer.write(packing),
            Self::WriterThread(beside) => beside.tell(FrameTask::Write(Box::new(packing.clone()))),
        }
    }

    /// Waits until all frames are on disk, and returns the lengths of their lists and the bytes written.
    pub(crate) fn sync(&mut self) -> FrameAnswer {
        match self {
            Self::Here(writer) => writer.sync(),
            Self::WriterThread(beside) => {
                beside.tell(FrameTask::Sync)?;
                beside.answer()
            }
        }
    }
}

impl<D: Dimension> WriterThread<D> {
    fn new(mut writer: FrameWriter) -> Self {
        // At most one frame waits while another is written, so that memory stays bounded.
        let (tasks, inbox) = sync_channel(1);
        let (outbox, answers) = channel();
        thread::spawn(move || {
            for task in inbox {
                let answer = match task {
                    FrameTask::Write(packing) => writer.write(&packing).err().map(Err),
                    FrameTask::Sync => Some(writer.sync()),
                };
                let failed = matches!(answer, Some(Err(_)));
                // The receiver is gone when the run has ended.
                if answer.is_some_and(|answer| outbox.send(answer).is_err()) || failed {
                    return;
                }
            }
        });
        Self { tasks, answers }
    }

    fn tell(&self, task: FrameTask<D>) -> Result<(), Trouble> {
        // A writer that has ended has sent the error.
        self.tasks.send(task).or_else(|_| self.answer().map(|_| ()))
    }

    fn answer(&self) -> FrameAnswer {
        self.answers.recv().expect("the writer says why it goes")
    }
}

impl FrameWriter {
    fn write<D: Dimension>(&mut self, packing: &Packing<D>) -> Result<(), Trouble> {
        let encode = [grains as fn(&Packing<D>) -> Vec<u8>, contacts];
        let lists = [Some(&mut self.grains), self.contacts.as_mut()];
        for ((kind, encode), list) in [GRAINS, CONTACTS].into_iter().zip(encode).zip(lists) {
            let Some(list) = list else { continue };
            let (name, bytes) = (frame_name(kind, packing.step), encode(packing));
            write_whole(&self.folder.join(&name), &bytes, true)?;
            list.add(packing.time, &name)?;
            self.bytes += bytes.len() as u64;
        }
        Ok(())
    }

    fn sync(&mut self) -> FrameAnswer {
        let grains = self.grains.sync()?;
        let contacts = self.contacts.as_mut().map_or(Ok(0), Collection::sync)?;
        Ok((FileLengths { grains, contacts, series: 0 }, std::mem::take(&mut self.bytes)))
    }
}
