//! Labels: each names one group, wall, piston or force, and nothing else.

use crate::scene::at::{May, Span};
use crate::scene::column::Subject;
use crate::scene::fault::{Fault, shortened};
use crate::scene::values::{known, label};
use std::ops::Range;

/// What a label stands for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Named {
    Group(Range<usize>),
    Wall(usize),
    Piston(usize),
    Force(usize),
}

/// All labels of a scene.
#[derive(Debug, Default)]
pub(crate) struct Names {
    known: Vec<(String, Named)>,
    grains: usize,
}

impl Names {
    /// These names, each of which stands for one thing.
    pub(crate) fn new(known: impl IntoIterator<Item = (String, Named)>) -> Self {
        Self { known: known.into_iter().collect(), grains: 0 }
    }

    fn add(&mut self, typed: &May<String>, named: Named) -> Result<(), Fault> {
        let Some(typed) = typed else { return Ok(()) };
        let name = label("label", typed)?;
        if self.known.iter().any(|(known, _)| *known == name) {
            let message = format!("the label `{name}` is taken");
            return Err(Fault::at(&typed.span, message).help(format!("labels are unique: \"{name}-2\"?")));
        }
        self.known.push((name, named));
        Ok(())
    }

    /// Adds the label of the next group, which has this many grains.
    pub(crate) fn add_group(&mut self, label: &May<String>, count: usize) -> Result<(), Fault> {
        let first = self.grains;
        self.grains += count;
        self.add(label, Named::Group(first..self.grains))
    }

    /// Adds the labels of all walls, pistons or forces.
    pub(crate) fn add_all<'a>(
        &mut self,
        labels: impl Iterator<Item = &'a May<String>>,
        named: fn(usize) -> Named,
    ) -> Result<(), Fault> {
        labels.enumerate().try_for_each(|(index, label)| self.add(label, named(index)))
    }

    /// All labels that name grains, walls or pistons.
    pub(crate) fn labels(&self) -> impl Iterator<Item = &str> + Clone {
        let bodies = self.known.iter().filter(|(_, named)| !matches!(named, Named::Force(_)));
        bodies.map(|(name, _)| name.as_str())
    }

    /// What a label stands for.
    pub(crate) fn find(&self, name: &str) -> Option<&Named> {
        self.known.iter().find(|(known, _)| known == name).map(|(_, named)| named)
    }

    /// The labels of one kind.
    pub(crate) fn of_kind<'a>(&'a self, kind: &'a dyn Fn(&Named) -> bool) -> Vec<&'a str> {
        self.known.iter().filter(|(_, named)| kind(named)).map(|(name, _)| name.as_str()).collect()
    }

    /// `lid`, `chain`, `chain[0]`, `chain[-1]`.
    pub(crate) fn subject(&self, text: &str, span: &Span) -> Result<Subject, Fault> {
        let (name, index) = match text.split_once('[') {
            Some((name, rest)) => {
                (name, Some(rest.strip_suffix(']').and_then(|index| index.trim().parse::<i64>().ok())))
            }
            None => (text, None),
        };
        let named = self.find(name);
        match (named, index) {
            (None | Some(Named::Force(_)), _) => Err(known("label", name, span, self.labels())),
            (_, Some(None)) => {
                let message = format!("the number in `{}` is no whole number", shortened(text, 64));
                Err(Fault::at(span, message).help(format!("{name}[0] is the first, {name}[-1] the last")))
            }
            (Some(Named::Group(range)), None) => Ok(Subject::Grains(range.clone())),
            (Some(Named::Group(range)), Some(Some(index))) => pick(name, range, index, span),
            (Some(Named::Wall(number)), None) => Ok(Subject::Wall(*number)),
            (Some(Named::Piston(number)), None) => Ok(Subject::Piston(*number)),
            (Some(_), Some(_)) => {
                Err(Fault::at(span, format!("`{name}` is no group of grains")).help(format!("{name} alone")))
            }
        }
    }
}

/// One grain of a group; negative numbers count from the end.
fn pick(name: &str, range: &Range<usize>, index: i64, span: &Span) -> Result<Subject, Fault> {
    let count = range.len();
    let from_start = usize::try_from(index).ok();
    let from_end =
        index.checked_neg().and_then(|back| usize::try_from(back).ok()).and_then(|back| count.checked_sub(back));
    let Some(inside) = from_start.or(from_end).filter(|&inside| inside < count) else {
        let message = format!("`{name}` has {count} grains; there is no {name}[{index}]");
        let help = format!("{name}[0] to {name}[{}], or {name}[-1] for the last", count - 1);
        return Err(Fault::at(span, message).help(help));
    };
    Ok(Subject::Grains(range.start + inside..range.start + inside + 1))
}
