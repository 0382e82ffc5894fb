//! A parallel sum of floats changes from run to run, because the threads meet in another order each time.

use crate::code;
use crate::tidy::Complaint;
use crate::tree::File;

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

/// Kinds of whole numbers.
const WHOLE: &[&str] = &["usize", "u64", "u32", "u16", "u8", "isize", "i64", "i32", "i16", "i8"];

/// Complains about parallel chains that end in a sum, a product or a reduction.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    files.iter().flat_map(in_file).collect()
}

fn in_file(file: &File) -> Vec<Complaint> {
    let texts = file.texts();
    let starts = texts.iter().enumerate().filter(|(_, text)| PARALLEL.contains(text));
    let reductions = starts.filter_map(|(start, _)| Some((start, reduction(&texts, start)?)));
    reductions
        .map(|(start, name)| {
            let wrong = format!("parallel `{name}`, whose order is not fixed");
            let remedy = "collect fixed chunks and add them up in order";
            Complaint::new(&file.path, file.tokens[start].line, wrong, remedy)
        })
        .collect()
}

/// The first reduction in the chain of calls that begins here. What stands inside brackets belongs to other chains: a
/// sequential sum over one fixed chunk is what we want.
fn reduction<'a>(texts: &[&'a str], start: usize) -> Option<&'a str> {
    let mut place = start;
    loop {
        match texts[place..] {
            [] | [")" | "]" | "}" | ";" | ",", ..] => return None,
            ["(" | "[" | "{", ..] => place = code::closing(texts, place),
            // Whole numbers add up to the same in every order.
            [".", name, "::", "<", kind, ..] if REDUCING.contains(&name) && WHOLE.contains(&kind) => place += 1,
            [".", name, ..] if REDUCING.contains(&name) => return Some(name),
            _ => place += 1,
        }
    }
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
