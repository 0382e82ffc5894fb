//! `solve`: contact problems from files, by every method.

use crate::failure::Failure;
use crate::output::{document, print};
use crate::table::{counted, number};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hardgrain_rigid::Method;
use hardgrain_run::{Answer, solve};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// Solves contact problems from files by every method, and compares error, sweeps and time.
///
/// NAME.mtx holds the matrix W (Matrix Market, coordinate real), NAME.txt beside it `dimension`, `contacts`, the numbers of `q`
/// and those of `mu`. To be found are reactions r with u = W r + q such that every contact obeys Signorini and Coulomb, whatever W
/// couples. Within a contact the normal comes first.
///
/// The error is the one that siconos reports: how far r is from the projection of r − u − μ|u_T| on Coulomb's cone, over the largest
/// of |q|, |r| and |u|. The natural error is the same in velocities, over what it is without reactions: it has no units. A sweep
/// visits every contact once; accelerated ones come in pairs, and a pair counts as two.
///
/// Examples:
///   hardgrain solve tower.mtx
///   hardgrain solve *.mtx --tolerance 1e-4 --method accelerated --json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Solve {
    /// Files NAME.mtx, each with NAME.txt beside it.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The error to be reached.
    #[arg(long, default_value_t = 1e-8)]
    tolerance: f64,
    /// Give up after this many sweeps.
    #[arg(long, default_value_t = 100_000)]
    max_sweeps: u32,
    /// The method; all of them if nothing is said. May be given several times.
    #[arg(long, value_parser = method_by_name())]
    method: Vec<Method>,
    /// Write the reactions of each method to DIR/NAME.METHOD.r.txt, one number a line in the order of q.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Print one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

fn method_by_name() -> impl TypedValueParser<Value = Method> {
    PossibleValuesParser::new(Method::ALL.map(Method::name)).map(|name| {
        *Method::ALL.iter().find(|method| method.name() == name).expect("only names of methods are let through")
    })
}

impl Solve {
    pub(crate) fn run(self) -> Result<(), Failure> {
        if !(self.tolerance >= 0.0 && self.tolerance.is_finite()) {
            return Err(Failure::flag("tolerance", "it must be 0 or more"));
        }
        if self.max_sweeps == 0 {
            return Err(Failure::flag("max-sweeps", "it must be 1 or more"));
        }
        let methods = if self.method.is_empty() { Method::ALL.to_vec() } else { self.method.clone() };
        let mut answers = Vec::new();
        for file in &self.files {
            let solved = solve(file, &methods, self.tolerance, self.max_sweeps)?;
            for answer in &solved {
                self.keep(file, answer)?;
            }
            answers.extend(solved);
        }
        print(&if self.json { document(&answers) } else { table(&answers) })
    }

    /// Writes the reactions down, if that is wanted.
    fn keep(&self, file: &std::path::Path, answer: &Answer) -> Result<(), Failure> {
        let Some(folder) = &self.output else { return Ok(()) };
        fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let path = folder.join(format!("{name}.{}.r.txt", answer.method));
        let mut text = String::new();
        for number in &answer.reactions {
            let _ = writeln!(text, "{number:?}");
        }
        fs::write(&path, text).map_err(|error| Failure::file(&path, &error))
    }
}

fn table(answers: &[Answer]) -> String {
    let mut text = String::new();
    let mut last = "";
    for answer in answers {
        if answer.file != last {
            let contacts = counted(answer.contacts as u64, "contact");
            let _ = writeln!(text, "{}: {contacts}", answer.file);
            text += "  method         error     natural    sweeps     seconds  status\n";
        }
        last = &answer.file;
        let _ = writeln!(
            text,
            "  {:<12} {:>9.2e}  {:>9.2e} {:>9}  {:>10}  {}",
            answer.method,
            answer.error,
            answer.natural_error,
            answer.sweeps,
            number(Some(answer.seconds)),
            answer.status
        );
    }
    text
}
