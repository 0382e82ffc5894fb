//! A parallel sum of floats changes from run to run, because the threads meet in another order each time.

use crate::tidy::Complaint;
use crate::tree::File;
use crate::words;

/// How a chain over several threads begins.
const PARALLEL: &[&str] = &[
    "par_iter",
    "par_iter_mut",
    "into_par_iter",
    "par_chunks",
    "par_chunks_mut",
    "par_chunks_exact",
    "par_bridge",
    "par_windows",
];

/// How it ends in one number.
const REDUCING: &[&str] = &["sum", "product", "reduce", "reduce_with"];

/// Whole numbers add up to the same in every order.
const WHOLE: &[&str] = &["usize", "u64", "u32", "u16", "u8", "isize", "i64", "i32", "i16", "i8"];

/// Complains about parallel chains that end in a sum, a product or a reduction.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    files.iter().flat_map(in_file).collect()
}

fn in_file(file: &File) -> Vec<Complaint> {
    let code = &file.code;
    let starts = PARALLEL.iter().flat_map(|name| words::places(code, name).map(move |place| place + name.len()));
    let reductions = starts.filter_map(|start| Some((start, reduction(&code[start..])?)));
    reductions
        .map(|(start, name)| {
            let wrong = format!("parallel `{name}`, whose order is not fixed");
            let remedy = "collect fixed chunks and add them up in order";
            Complaint::new(&file.path, words::line_of(code, start), wrong, remedy)
        })
        .collect()
}

/// The first reduction in the chain of calls that `chain` continues. What stands inside brackets belongs to other
/// chains: a sequential sum over one fixed chunk is what we want.
fn reduction(chain: &str) -> Option<&'static str> {
    let mut depth = 0_i32;
    for (place, letter) in chain.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ';' | ',' if depth == 0 => return None,
            '.' if depth == 0 => {
                let call = &chain[place + 1..];
                let found = REDUCING.iter().copied().find(|name| *name == words::first(call));
                if let Some(name) = found.filter(|name| !is_whole(&call[name.len()..])) {
                    return Some(name);
                }
            }
            _ => {}
        }
        if depth < 0 {
            return None;
        }
    }
    None
}

/// Whether the call says that it adds whole numbers, as in `sum::<usize>()`.
fn is_whole(after: &str) -> bool {
    after.strip_prefix("::<").is_some_and(|kind| WHOLE.contains(&words::first(kind)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        check(&[File::new("a.rs", text)]).into_iter().map(|complaint| complaint.line).collect()
    }

    #[test]
    fn sums_in_a_fixed_order_pass() {
        for text in [
            "let s: f64 = x.iter().sum();",
            "let s = x.par_chunks(64).map(|c| c.iter().sum::<f64>()).collect::<Vec<_>>();",
            "let n = x.par_iter().map(Vec::len).sum::<usize>();",
            "x.par_iter_mut().for_each(|x| *x = 0.0);\nlet s: f64 = x.iter().sum();",
            "f(x.par_iter().collect(), y.iter().sum())",
            "// x.par_iter().sum()",
        ] {
            assert_eq!(lines(text), [0; 0], "{text}");
        }
    }

    #[test]
    fn parallel_reductions_are_found() {
        for text in [
            "let s: f64 = x.par_iter().sum();",
            "let s = x.par_iter().map(|x| x * x).sum::<f64>();",
            "x.into_par_iter().reduce(|| 0.0, |a, b| a + b)",
            "let s = x\n.par_chunks(64)\n.map(|c| c.iter().sum::<f64>())\n.reduce_with(f);",
            "x.par_iter().product()",
            "x.par_iter().map(|x| { let y = x; f(y, y) }).sum()",
        ] {
            assert_eq!(lines(text).len(), 1, "{text}");
        }
        assert_eq!(lines("\nx.par_iter().sum()\n"), [2]);
    }
}
