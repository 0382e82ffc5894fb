//! Digests of results: every scene and every kind of document, run for a stated number of steps, so that a change of a single bit is seen.
//!
//! The test compares with the list in `xtask/hashes.txt`, and so does `cargo xtask hashes`; `cargo xtask hashes --accept="WHY"` writes it anew
//! and adds the reason to the changelog. Times, and whatever else a clock has measured, are left out. Bits of the rigid solver depend on
//! the instruction set, so its rows name it, and rows of other instruction sets are kept as they are.

mod digest;
mod documents;
mod laws;
mod runs;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::iter;
use std::path::Path;
use std::sync::Mutex;
use std::thread;

/// The list, from the root of the repository.
const LIST: &str = "xtask/hashes.txt";

const HEADER: &str = "# Digests of results, one row each: `cargo xtask hashes` compares, `cargo xtask hashes --accept=\"WHY\"` renews.\n";

/// What was digested: the name of a row, and its digests in words.
type DigestRows = BTreeMap<String, String>;

/// Something to be digested: makes some rows, in a folder that exists and is its own.
type Job<'a> = Box<dyn Fn(&Path) -> Result<DigestRows, String> + Send + Sync + 'a>;

/// The digests of everything, made with the given program in folders below `work`.
fn rows(program: &Path, root: &Path, work: &Path) -> Result<DigestRows, String> {
    let _ = fs::remove_dir_all(work);
    let scenes = root.join("scenes");
    let mut jobs = runs::jobs(program, &scenes)?;
    jobs.extend(documents::jobs(program, &scenes));
    jobs.extend(laws::jobs());
    let waiting = Mutex::new(jobs.iter().enumerate());
    let next = || waiting.lock().expect("no worker panics while it holds the list").next();
    let worker = || {
        iter::from_fn(next).try_fold(DigestRows::new(), |rows, (number, job)| {
            let folder = work.join(number.to_string());
            fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
            Ok(rows.into_iter().chain(job(&folder)?).collect())
        })
    };
    let made: Vec<Result<DigestRows, String>> = thread::scope(|scope| {
        let workers = thread::available_parallelism().map_or(1, usize::from);
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        workers.into_iter().map(|worker| worker.join().expect("no worker panics")).collect()
    });
    let _ = fs::remove_dir_all(work);
    made.into_iter().try_fold(DigestRows::new(), |rows, made| Ok(rows.into_iter().chain(made?).collect()))
}

/// The list as it is kept.
fn kept(root: &Path) -> Result<DigestRows, String> {
    let path = root.join(LIST);
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text.lines().filter_map(row).collect())
}

fn row(line: &str) -> Option<(String, String)> {
    let (name, digests) = line.split_once("  ")?;
    (!name.starts_with('#')).then(|| (name.to_owned(), digests.trim().to_owned()))
}

/// Where the two differ, a sentence each. DigestRows of other instruction sets are passed over.
fn differences(kept: &DigestRows, found: &DigestRows) -> Vec<String> {
    let mut all = Vec::new();
    for (name, digests) in found {
        match kept.get(name) {
            None => all.push(format!("{name}: not in the list")),
            Some(other) if other != digests => all.push(format!("{name}: {digests}, in the list {other}")),
            Some(_) => {}
        }
    }
    let missing = kept.keys().filter(|name| !found.contains_key(*name) && !is_of_another_machine(name));
    all.extend(missing.map(|name| format!("{name}: in the list, but was not run")));
    all
}

/// Compares all digests with the list, or renews it for the reason in `HARDGRAIN_ACCEPT_HASHES`; what came of it, in a sentence or in a line
/// for each row that differs.
fn compare(program: &Path, root: &Path, why: Option<&str>) -> Result<String, String> {
    let found = rows(program, root, &root.join(format!("target/hashes-{}", std::process::id())))?;
    if let Some(why) = why {
        accept(root, &found, why)?;
        return Ok(format!("{} rows written to {LIST}", found.len()));
    }
    let kept = kept(root)?;
    let known = kept.keys().any(|name| name.ends_with(&instruction_set()));
    // On a machine of another kind there is nothing to hold the rigid solver to.
    let judged: DigestRows = found.into_iter().filter(|(name, _)| known || !name.ends_with(']')).collect();
    let differ = differences(&kept, &judged);
    if !differ.is_empty() {
        return Err(format!("{} of {} rows differ\n{}", differ.len(), judged.len(), differ.join("\n")));
    }
    let skipped =
        if known { "" } else { "; THE RIGID SOLVER'S ROWS ARE SKIPPED: the list has none for this instruction set" };
    Ok(format!("{} rows as in {LIST}{skipped}", judged.len()))
}

#[test]
fn every_result_has_the_bits_it_had() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    let why = std::env::var("HARDGRAIN_ACCEPT_HASHES").ok();
    match compare(Path::new(env!("CARGO_BIN_EXE_hardgrain")), &root, why.as_deref()) {
        Ok(told) => println!("hashes: {told}"),
        Err(told) => panic!("{told}\nif it is meant: cargo xtask hashes --accept=\"WHY\""),
    }
}

fn is_of_another_machine(name: &str) -> bool {
    name.ends_with(']') && !name.ends_with(&instruction_set())
}

/// The suffix of rows whose bits depend on the instruction set.
fn instruction_set() -> String {
    #[cfg(target_arch = "x86_64")]
    let name = if is_x86_feature_detected!("avx512f") {
        "avx512"
    } else if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        "avx2"
    } else {
        "x86-64"
    };
    #[cfg(not(target_arch = "x86_64"))]
    let name = std::env::consts::ARCH;
    format!("[{name}]")
}

/// Writes the list anew, and says why in the changelog.
fn accept(root: &Path, found: &DigestRows, why: &str) -> Result<(), String> {
    let others = kept(root).unwrap_or_default().into_iter().filter(|(name, _)| is_of_another_machine(name));
    let rows: DigestRows = others.chain(found.iter().map(|(name, row)| (name.clone(), row.clone()))).collect();
    let width = rows.keys().map(String::len).max().unwrap_or(0);
    let mut list = String::from(HEADER);
    for (name, row) in &rows {
        let _ = writeln!(list, "{name:width$}  {row}");
    }
    write(&root.join(LIST), &list)?;
    let path = root.join("CHANGELOG.md");
    let changelog = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    write(&path, &with_reason(&changelog, why))
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

/// The changelog with one more line among the changes that are not released.
fn with_reason(changelog: &str, why: &str) -> String {
    const UNRELEASED: &str = "## Unreleased\n";
    const CHANGED: &str = "### Changed\n";
    let line = format!("- Other bits: {why}\n");
    let place = changelog.find(UNRELEASED).map_or(0, |place| place + UNRELEASED.len());
    let end = changelog[place..].find("\n## ").map_or(changelog.len(), |end| place + end);
    match changelog[place..end].find(CHANGED) {
        Some(heading) => {
            let place = place + heading + CHANGED.len();
            format!("{}{line}{}", &changelog[..place], &changelog[place..])
        }
        None => format!("{}\n{CHANGED}{line}{}", &changelog[..place], &changelog[place..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(pairs: &[(&str, &str)]) -> DigestRows {
        pairs.iter().map(|&(name, row)| (name.to_owned(), row.to_owned())).collect()
    }

    #[test]
    fn equal_lists_do_not_differ() {
        let list = rows(&[("a", "state 1"), ("b", "state 2")]);
        assert_eq!(differences(&list, &list), [""; 0]);
        assert_eq!(row("a b    state 1"), Some(("a b".into(), "state 1".into())));
        assert_eq!(row(HEADER.trim_end()), None);
    }

    #[test]
    fn every_difference_is_told() {
        let (kept, found) = (rows(&[("a", "1"), ("b", "2")]), rows(&[("a", "3"), ("c", "4")]));
        let told = differences(&kept, &found);
        assert_eq!(told, ["a: 3, in the list 1", "c: not in the list", "b: in the list, but was not run"]);
    }

    #[test]
    fn rows_of_another_instruction_set_are_passed_over() {
        let other = "a rigid [another]";
        assert!(is_of_another_machine(other) && !is_of_another_machine(&instruction_set()));
        assert_eq!(differences(&rows(&[(other, "1")]), &DigestRows::new()), [""; 0]);
    }

    #[test]
    fn the_reason_goes_among_the_changes() {
        let first = with_reason("# Log\n\n## Unreleased\n\n### Added\n- x\n", "new law");
        assert_eq!(first, "# Log\n\n## Unreleased\n\n### Changed\n- Other bits: new law\n\n### Added\n- x\n");
        let second = with_reason(&first, "newer law");
        assert!(second.contains("### Changed\n- Other bits: newer law\n- Other bits: new law\n"), "{second}");
    }
}
