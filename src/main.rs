//! The command line: parse, run, exit.

mod cli;
mod commands;
mod ending;
mod environment;
mod progress;

use clap::{ColorChoice, Parser};
use cli::{Cli, Command};
use ending::Ending;
use std::env;
use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = Cli::try_parse().unwrap_or_else(|error| {
        // Help is such an error, too.
        choose_color(cli::color_of(env::args_os().skip(1)));
        error.exit()
    });
    choose_color(cli.color);
    let ending = match cli.command {
        Command::Solve(args) => commands::solve::run(args),
        Command::Merge(args) => commands::merge::run(args),
        Command::Verify(args) => commands::verify::run(args),
        Command::Compare(args) => commands::compare::run(args),
        Command::Report(args) => commands::report::run(args),
        Command::Diff(args) => commands::diff::run(args),
        Command::Show(args) => commands::show::run(args),
        Command::Generate(args) => commands::generate::run(args),
        Command::Variants(args) => commands::variants::run(args),
        Command::Completions(args) => commands::completions::run(args),
        Command::Man(args) => commands::man::run(args),
    };
    ending.unwrap_or_else(Ending::from).report()
}

/// Decides for all that is printed through `anstream`, as clap does.
fn choose_color(choice: ColorChoice) {
    let choice = match choice {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}
