//! The loaded contacts that a packing remembers, with a version number that every change renews.

use crate::dimension::Dimension;
use crate::packing::contact::Remembered;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};

/// The next version. A memory that was never changed is empty and has version 0.
static NEXT_VERSION: AtomicU64 = AtomicU64::new(1);

/// The contacts that carried a load in the last step, sorted by identity: a vector, and a version by which engines see whether it is
/// still what they left. The version is not part of the state.
#[derive(Clone, Debug, Default)]
pub struct Memory<D: Dimension> {
    contacts: Vec<Remembered<D>>,
    version: u64,
}

impl<D: Dimension> Memory<D> {
    /// Memories with the same version hold the same contacts.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// Takes all contacts out.
    pub(crate) fn take(&mut self) -> Vec<Remembered<D>> {
        std::mem::take(&mut **self)
    }
}

impl<D: Dimension> PartialEq for Memory<D> {
    fn eq(&self, other: &Self) -> bool {
        self.contacts == other.contacts
    }
}

impl<D: Dimension> From<Vec<Remembered<D>>> for Memory<D> {
    fn from(contacts: Vec<Remembered<D>>) -> Self {
        Self { contacts, version: NEXT_VERSION.fetch_add(1, Ordering::Relaxed) }
    }
}

impl<D: Dimension> FromIterator<Remembered<D>> for Memory<D> {
    fn from_iter<I: IntoIterator<Item = Remembered<D>>>(contacts: I) -> Self {
        contacts.into_iter().collect::<Vec<_>>().into()
    }
}

impl<D: Dimension> Deref for Memory<D> {
    type Target = Vec<Remembered<D>>;

    fn deref(&self) -> &Self::Target {
        &self.contacts
    }
}

impl<D: Dimension> DerefMut for Memory<D> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        self.version = NEXT_VERSION.fetch_add(1, Ordering::Relaxed);
        &mut self.contacts
    }
}

impl<'a, D: Dimension> IntoIterator for &'a Memory<D> {
    type Item = &'a Remembered<D>;
    type IntoIter = std::slice::Iter<'a, Remembered<D>>;

    fn into_iter(self) -> Self::IntoIter {
        self.contacts.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Plane;

    #[test]
    fn changes_leave_a_trace_and_copies_have_the_same() {
        let mut memory = Memory::<Plane>::default();
        assert_eq!(memory.version(), Memory::<Plane>::default().version());
        memory.push(Remembered::default());
        let (before, copy) = (memory.version(), memory.clone());
        assert_eq!(copy.version(), before);
        memory[0].gap = 1.0;
        assert_ne!(memory.version(), before);
        assert_ne!(memory, copy);
    }
}
