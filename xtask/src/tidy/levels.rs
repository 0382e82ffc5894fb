//! The physics stands on few levels of imports, so that a reader knows soon what a file builds on.

use std::collections::{BTreeMap, BTreeSet};

use crate::imports::{imports, sources};
use crate::tidy::Complaint;
use crate::tree::File;

const FOLDER: &str = "crates/hardgrain/src/";

const MOST_LEVELS: usize = 9;

/// Files that are no rooms: the root of the crate, and what is compiled for each dimension.
const NO_ROOMS: &[&str] = &["lib", "main", "compiled"];

/// Complains if the longest chain of imports between rooms (the files and folders of the crate) is too long.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    let chain = longest_chain(files);
    let complaint = (chain.len() > MOST_LEVELS).then(|| {
        let wrong = format!("{} levels, more than {MOST_LEVELS}: {}", chain.len(), chain.join(" -> "));
        Complaint::new(&format!("{FOLDER}lib.rs"), 1, wrong, "put what belongs together into one folder")
    });
    complaint.into_iter().collect()
}

/// The rooms on the longest chain, highest first.
fn longest_chain(files: &[File]) -> Vec<String> {
    let mut rooms: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (from, targets) in imports(&sources(files, FOLDER), "hardgrain") {
        let below = targets.into_keys().map(room).filter(|below| *below != room(from) && !NO_ROOMS.contains(below));
        rooms.entry(room(from)).or_default().extend(below);
    }
    let mut chains = BTreeMap::new();
    let tops = rooms.keys().filter(|room| !NO_ROOMS.contains(room));
    tops.for_each(|room| chain(&rooms, room, &mut chains));
    chains.into_values().max_by_key(Vec::len).unwrap_or_default()
}

/// `solver.rs` and `solver/` are one room.
fn room(path: &str) -> &str {
    path.split(['/', '.']).next().unwrap_or(path)
}

/// Finds the longest chain of imports that starts at a room. A circle counts once.
fn chain<'a>(rooms: &BTreeMap<&'a str, BTreeSet<&'a str>>, room: &'a str, chains: &mut BTreeMap<&'a str, Vec<String>>) {
    if chains.contains_key(room) {
        return;
    }
    chains.insert(room, vec![room.to_owned()]);
    let below = rooms.get(room).into_iter().flatten();
    let longest = below.map(|below| {
        chain(rooms, below, chains);
        chains[below].clone()
    });
    let longest = longest.max_by_key(Vec::len).unwrap_or_default();
    chains.insert(room, [vec![room.to_owned()], longest].concat());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rooms `r0` to `r…`, each of which imports the one before.
    fn tower(levels: usize) -> Vec<File> {
        let declared: Vec<String> = (0..levels).map(|level| format!("mod r{level};\n")).collect();
        let top = format!("{}use r{}::f;\n", declared.concat(), levels - 1);
        let mut files = vec![File::new("crates/hardgrain/src/lib.rs", &top)];
        for level in 0..levels {
            let path = if level % 2 == 0 { format!("r{level}.rs") } else { format!("r{level}/mod.rs") };
            let below = if level > 0 { format!("use crate::r{}::f;\n", level - 1) } else { String::new() };
            files.push(File::new(&format!("{FOLDER}{path}"), &format!("{below}pub fn f() {{}}\n")));
        }
        files
    }

    #[test]
    fn nine_levels_pass() {
        assert_eq!(check(&tower(9)), []);
        assert_eq!(check(&[]), []);
    }

    #[test]
    fn the_chain_of_ten_levels_is_shown() {
        let wrong = &check(&tower(10))[0].wrong;
        assert_eq!(wrong, "10 levels, more than 9: r9 -> r8 -> r7 -> r6 -> r5 -> r4 -> r3 -> r2 -> r1 -> r0");
    }

    #[test]
    fn files_of_one_folder_are_one_room() {
        let mut files = tower(9);
        files.push(File::new("crates/hardgrain/src/r1/inner.rs", "use super::f;\npub fn g() {}\n"));
        files.push(File::new("crates/hardgrain/src/r1/outer.rs", "use super::inner::g;\n"));
        assert_eq!(longest_chain(&files).len(), 9);
    }
}
