//! What a packing remembers of its contacts. Whoever changes it leaves a trace.

use crate::dimension::Dimension;
use crate::packing::contact::Remembered;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicU64, Ordering};

/// Every change gets a number of its own; what was never changed, and is empty, has 0.
static CHANGES: AtomicU64 = AtomicU64::new(1);

/// The contacts that carried a load in the last step, sorted by identity. It is used like the vector that it is; the trace is
/// for engines, which know by it whether what they left here is still the same, and is no part of the state.
#[derive(Clone, Debug, Default)]
pub struct Memory<D: Dimension> {
    contacts: Vec<Remembered<D>>,
    change: u64,
}

impl<D: Dimension> Memory<D> {
    /// The number of the last change. Where it is the same, so are the contacts.
    pub(crate) fn change(&self) -> u64 {
        self.change
    }

    /// Forgets everything and hands it over.
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
        Self { contacts, change: CHANGES.fetch_add(1, Ordering::Relaxed) }
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
        self.change = CHANGES.fetch_add(1, Ordering::Relaxed);
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
        assert_eq!(memory.change(), Memory::<Plane>::default().change());
        memory.push(Remembered::default());
        let (before, copy) = (memory.change(), memory.clone());
        assert_eq!(copy.change(), before);
        memory[0].gap = 1.0;
        assert_ne!(memory.change(), before);
        assert_ne!(memory, copy);
    }
}
