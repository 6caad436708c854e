//! The command line: parse, run, exit.

mod cli;
mod commands;
mod ending;
mod environment;
mod progress;

use clap::Parser;
use cli::{Cli, Command};
use ending::Ending;
use std::process::ExitCode;

fn main() -> ExitCode {
    let ending = match Cli::parse().command {
        Command::Solve(args) => commands::solve::run(args),
        Command::Verify(args) => commands::verify::run(args),
        Command::Compare(args) => commands::compare::run(args),
        Command::Report(args) => commands::report::run(args),
        Command::Diff(args) => commands::diff::run(args),
        Command::Show(args) => commands::show::run(args),
        Command::Generate(args) => commands::generate::run(args),
        Command::Variants(args) => commands::variants::run(args),
    };
    ending.unwrap_or_else(Ending::from).report()
}
