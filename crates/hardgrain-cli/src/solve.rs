//! `solve`: contact problems from files, by every method.

use crate::failure::CliError;
use crate::output::{document, print};
use crate::table::{counted, number};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hardgrain_rigid::Method;
use hardgrain_run::{MethodResult, solve};
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// Solves contact problems from files by every method, and compares error, sweeps and time.
///
/// NAME.mtx holds the matrix W, NAME.txt beside it the rest. To be found are reactions r with
/// u = W r + q such that every contact obeys Signorini and Coulomb, whatever W couples. Within a
/// contact the normal comes first. W is in the Matrix Market format, coordinate, real or integer,
/// general or symmetric (the lower half), with comments (%) after the first line. The other file has
/// `dimension`, `contacts`, then the numbers of `q` and those of `mu`, one a line. A block of mass 2
/// that is pushed down and aside on a floor, in the plane, is block.mtx
///
///   %%MatrixMarket matrix coordinate real general
///   2 2 2
///   1 1 0.5
///   2 2 0.5
///
/// with block.txt
///
///   dimension 2
///   contacts 1
///   q
///   -1.0
///   3.0
///   mu
///   0.4
///
/// The error is the one that siconos reports: how far r is from the projection of r − u − μ|u_T| on
/// Coulomb's cone, over the largest of |q|, |r| and |u|. It mixes forces and velocities, so it
/// depends on units. The natural error is the same in velocities, over what it is without reactions:
/// it has no units. "converged" says that the error is at the tolerance and the natural one at its
/// root (of the rigid method at the tolerance, too): where there is no answer reactions grow, and the
/// error becomes small beside them.
///
/// A sweep visits every contact once; accelerated ones come in pairs, and a pair counts as two. The
/// rigid method makes factorisations, and sweeps in between; where it does not get on it hands over
/// to accelerated sweeps, and says so.
///
/// Examples:
///   hardgrain solve tower.mtx
///   hardgrain solve *.mtx --tolerance 1e-4 --method accelerated --json
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct SolveArguments {
    /// Files NAME.mtx, each with NAME.txt beside it.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The error to be reached.
    #[arg(long, default_value_t = 1e-8)]
    tolerance: f64,
    /// Give up after this many sweeps (accelerated ones are even, so one or two more); the rigid method after so many that help
    /// and as many again.
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

impl SolveArguments {
    pub(crate) fn run(self) -> Result<(), CliError> {
        if !(self.tolerance > 0.0 && self.tolerance < 1.0) {
            return Err(CliError::flag("tolerance", "it must be above 0 and below 1"));
        }
        if self.max_sweeps == 0 {
            return Err(CliError::flag("max-sweeps", "it must be 1 or more"));
        }
        self.check_names()?;
        if let Some(folder) = &self.output {
            fs::create_dir_all(folder).map_err(|error| CliError::file(folder, &error))?;
        }
        let methods = if self.method.is_empty() { Method::ALL.to_vec() } else { self.method.clone() };
        let (mut answers, mut bad) = (Vec::new(), 0);
        for file in &self.files {
            match solve(file, &methods, self.tolerance, self.max_sweeps).map_err(CliError::from) {
                Ok(solved) => {
                    solved.iter().try_for_each(|answer| self.keep(file, answer))?;
                    if !self.json {
                        print(&table(&solved))?;
                    } else if let Some(said) = unsolved(&solved) {
                        eprintln!("{}: {said}", file.display());
                    }
                    answers.extend(solved);
                }
                Err(failure) if self.files.len() == 1 => return Err(failure),
                // The others may still be good.
                Err(failure) => {
                    failure.say();
                    bad += 1;
                }
            }
        }
        if self.json {
            print(&document(&answers))?;
        }
        if bad == 0 {
            return Ok(());
        }
        Err(CliError::Input(format!("{bad} of {} files hold no problem that can be solved", self.files.len())))
    }

    /// Refuses files whose results would overwrite each other.
    fn check_names(&self) -> Result<(), CliError> {
        let mut names: Vec<_> = self.files.iter().map(|file| file.file_stem()).collect();
        names.sort();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(pair) if self.output.is_some() => {
                let name = pair[0].unwrap_or_default().to_string_lossy();
                let wrong = format!("two of the files are called {name}; solve them one at a time");
                Err(CliError::flag("output", wrong))
            }
            _ => Ok(()),
        }
    }

    /// Writes the reactions, if a folder is given.
    fn keep(&self, file: &std::path::Path, answer: &MethodResult) -> Result<(), CliError> {
        let Some(folder) = &self.output else { return Ok(()) };
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let path = folder.join(format!("{name}.{}.r.txt", answer.method));
        let text: String = answer.reactions.iter().flat_map(|number| [format!("{number:?}"), "\n".into()]).collect();
        fs::write(&path, text).map_err(|error| CliError::file(&path, &error))
    }
}

/// The results of all methods on one problem.
fn table(answers: &[MethodResult]) -> String {
    let Some(first) = answers.first() else { return String::new() };
    let mut text = format!("{}: {}\n", first.file, counted(first.contacts as u64, "contact"));
    text += "  method         error     natural    sweeps  factorisations     seconds  status\n";
    for answer in answers {
        let _ = writeln!(
            text,
            "  {:<12} {:>9.2e}  {:>9.2e} {:>9}  {:>14}  {:>10}  {}{}",
            answer.method,
            answer.error,
            answer.natural_error,
            answer.sweeps,
            answer.factorisations,
            number(Some(answer.seconds)),
            answer.status,
            if answer.fell_back { ", handed over to accelerated sweeps" } else { "" }
        );
    }
    if let Some(said) = unsolved(answers) {
        let _ = writeln!(text, "  {said}");
    }
    text
}

/// The remark where no method converged.
fn unsolved(answers: &[MethodResult]) -> Option<&'static str> {
    let any = |status: &str| answers.iter().any(|answer| answer.status == status);
    (!any("converged")).then(|| {
        if any("not finite") {
            "none has converged: numbers become too large to be told; other units for W and q may help"
        } else {
            "none has converged: with more sweeps (--max-sweeps) one may, unless no reactions obey all of these contacts at once"
        }
    })
}
