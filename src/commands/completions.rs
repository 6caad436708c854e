//! `completions`: what a shell needs to complete commands and options.

use crate::cli::{Cli, CompletionsArgs};
use crate::ending::Ending;
use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::{Write, stdout};

pub(crate) fn run(args: CompletionsArgs) -> anyhow::Result<Ending> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), env!("CARGO_BIN_NAME"), &mut script);
    let mut script = String::from_utf8(script).context("the script is no text")?;
    if args.shell == Shell::Bash {
        // In the names of states clap_complete takes the hyphen of ours for the end of a command
        // in one place and not in the other, so that no command would have its options completed.
        script = script.replace("sudoku__subcmd__bench", "sudoku__bench");
    }
    stdout().write_all(script.as_bytes()).context("cannot write the script")?;
    Ok(Ending::default())
}
