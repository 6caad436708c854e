//! `man`: the help texts as manual pages.

use crate::cli::{Cli, ManArgs};
use crate::ending::Ending;
use anyhow::Context;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use std::fs;
use std::io::{self, Write, stdout};
use std::path::Path;

pub(crate) fn run(args: ManArgs) -> anyhow::Result<Ending> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    match args.folder {
        None => {
            let (_, page) = page(&program).context("cannot make the page")?;
            stdout().write_all(&page).context("cannot write the page")?;
        }
        Some(folder) => {
            let name = folder.display();
            write_all(&program, &folder)
                .with_context(|| format!("cannot write the pages into `{name}`"))?;
        }
    }
    Ok(Ending::default())
}

/// Writes the pages of the program and of each command.
fn write_all(program: &Command, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for command in [program].into_iter().chain(program.get_subcommands()) {
        let (name, page) = page(command)?;
        fs::write(folder.join(name), page)?;
    }
    Ok(())
}

/// The name of a page, and its source.
fn page(command: &Command) -> io::Result<(String, Vec<u8>)> {
    let source = concat!(env!("CARGO_BIN_NAME"), " ", env!("CARGO_PKG_VERSION"));
    let man = Man::new(command.clone()).source(source);
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(text) = command.get_after_long_help().or(command.get_after_help()) {
        notes(&text.to_string()).to_writer(&mut page)?;
    }
    Ok((man.get_filename(), page))
}

/// What stands below the options. Indented lines, such as examples, stay lines of their own.
fn notes(text: &str) -> Roff {
    let mut roff = Roff::new();
    if !text.starts_with("Examples:") {
        roff.control("SH", ["NOTES"]);
    }
    for line in text.lines() {
        match line {
            "" => roff.control("PP", []),
            "Examples:" => roff.control("SH", ["EXAMPLES"]),
            _ if line.starts_with(' ') => {
                roff.control("nf", []).text([roman(line)]).control("fi", [])
            }
            _ => roff.text([roman(line)]),
        };
    }
    roff
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn examples_are_a_section_and_stay_apart() {
        let page = notes("One\npage.\n\n  a,b\nMore.\n\nExamples:\n  one - -o x\n  two").to_roff();
        let expected = "\
.SH NOTES
One
page.
.PP
.nf
  a,b
.fi
More.
.PP
.SH EXAMPLES
.nf
  one \\- \\-o x
.fi
.nf
  two
.fi
";
        assert_eq!(page, expected);
    }
}
