//! The command line's options, and nothing else.

use crate::ending::Usage;
use anyhow::bail;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ColorChoice, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;
use sudoku_bench::arch::Isa;
use sudoku_bench::batch::Sum;
use sudoku_bench::dataset::{Column, Decoding, Format, Hints, Shard};
use sudoku_bench::generate::Pattern;
use sudoku_bench::solver::{Engine, Variant};

/// Solve puzzle files in parallel, and race backtracking templates on them.
///
/// Data goes to standard output, everything else to standard error.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// When to use colour; `auto` asks the terminal, NO_COLOR and CLICOLOR_FORCE
    #[arg(long, value_name = "WHEN", default_value_t = ColorChoice::Auto, global = true)]
    pub(crate) color: ColorChoice,
}

/// The choice of `--color` among arguments that need not be right, for what is said of them.
pub(crate) fn color_of(arguments: impl IntoIterator<Item = OsString>) -> ColorChoice {
    let mut arguments = arguments.into_iter().take_while(|argument| argument != "--");
    let mut choice = ColorChoice::Auto;
    while let Some(argument) = arguments.next() {
        let value = match argument.to_str().and_then(|text| text.strip_prefix("--color")) {
            Some("") => arguments.next(),
            Some(rest) => rest.strip_prefix('=').map(OsString::from),
            None => None,
        };
        let known = value.and_then(|value| ColorChoice::from_str(value.to_str()?, false).ok());
        choice = known.unwrap_or(choice);
    }
    choice
}

/// The headings under which `--help` puts options of a kind, in every command.
mod heading {
    pub(super) const COMPARISON: &str = "Comparison";
    pub(super) const SEARCH: &str = "Search";
    pub(super) const PUZZLES: &str = "Puzzles";
    pub(super) const MEASUREMENT: &str = "Measurement";
    pub(super) const INPUT: &str = "Input";
    pub(super) const LIMITS: &str = "Limits";
    pub(super) const OUTPUT: &str = "Output";
    pub(super) const MACHINE: &str = "Machine";
}

const EXIT_CODES: &str = "\
Exit codes: 0 fine (unsolvable, invalid and capped puzzles are answers); 1 failed; 2 usage; \
3 a variant became slower; 4 a wrong answer, an untrue data set, or other rows or shards than expected; 5 malformed rows were met; 130 interrupted. When \
several apply: 130, 1, 4, 3, 5.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Race variants on the same puzzles and report
    Compare(CompareArgs),
    /// Report saved runs again, or several as one
    Report(ReportArgs),
    /// Hold a run of `compare` against an earlier one, and fail if a variant became slower
    Diff(DiffArgs),
    /// Solve every puzzle of a file
    Solve(SolveArgs),
    /// Add up what the parts of a batch came to, and check that no shard is missing
    Merge(MergeArgs),
    /// Check that every puzzle of a file is sound, and the solution beside it true
    Verify(VerifyArgs),
    /// Show one puzzle, its solution and the work of each variant
    Show(ShowArgs),
    /// Make puzzles that have exactly one solution
    Generate(GenerateArgs),
    /// List the variants
    Variants(VariantsArgs),
    /// Print the script by which a shell completes commands and options
    Completions(CompletionsArgs),
    /// Print the manual page, or write those of all commands
    Man(ManArgs),
}

/// Where puzzles come from, and how hard to work on them.
#[derive(Debug, Args)]
pub(crate) struct WorkArgs {
    /// The puzzle column of the files, by header name or by number from 1
    #[arg(long, value_name = "NAME|NUMBER", value_parser = column, help_heading = heading::INPUT)]
    pub(crate) column: Option<Column>,

    /// The solution column, in the same way
    #[arg(long, value_name = "NAME|NUMBER", value_parser = column, help_heading = heading::INPUT)]
    pub(crate) solution_column: Option<Column>,

    /// The format of the files [default: found out from their first bytes]
    #[arg(long, value_name = "FORMAT", value_parser = format(), help_heading = heading::INPUT)]
    pub(crate) format: Option<Format>,

    /// Let compressed files ask for as much as 2 GiB of memory to be decoded
    ///
    /// Files may be compressed with gzip, bzip2, xz or zstd, whatever their names. Without this
    /// option, windows of zstd of more than 32 MiB are refused, and xz that takes more than 128 MiB.
    #[arg(long, help_heading = heading::INPUT)]
    pub(crate) long_window: bool,

    /// Solving threads [default: all cores]
    #[arg(short = 'j', long = "jobs", value_name = "N", value_parser = threads,
          help_heading = heading::MACHINE)]
    pub(crate) threads: Option<usize>,

    /// Stop a search after this long, such as 500ms or 30s
    ///
    /// The clock is looked at every 1,024 nodes. Where variants are compared, the puzzle is dropped
    /// for all of them.
    #[arg(long, value_name = "D", value_parser = humantime::parse_duration,
          help_heading = heading::LIMITS)]
    pub(crate) max_time: Option<Duration>,

    /// Stop at the first malformed row, with exit code 5; a comparison then gives no report
    #[arg(long, help_heading = heading::INPUT)]
    pub(crate) strict: bool,

    /// Neither progress nor, on standard error, a summary
    #[arg(short, long, help_heading = heading::OUTPUT)]
    pub(crate) quiet: bool,

    /// Say of each file what it was found to be, and how many rows of it were done
    #[arg(short, long, conflicts_with = "quiet", help_heading = heading::OUTPUT)]
    pub(crate) verbose: bool,
}

impl WorkArgs {
    /// What is said of the files.
    pub(crate) fn hints(&self) -> Hints {
        Hints {
            format: self.format,
            puzzle: self.column.clone(),
            solution: self.solution_column.clone(),
        }
    }

    /// How the files are decoded.
    pub(crate) fn decoding(&self) -> Decoding {
        Decoding { long_window: self.long_window }
    }
}

/// How the lanes work.
#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// The instruction set of `lanes` [default: the fastest of this machine]
    ///
    /// Solutions and nodes do not depend on it.
    #[arg(long, value_name = "ISA", value_parser = isa(), help_heading = heading::MACHINE)]
    isa: Option<Isa>,
}

impl EngineArgs {
    /// The instruction set; none unless the lanes run.
    pub(crate) fn isa_if(&self, lanes_run: bool) -> anyhow::Result<Option<Isa>> {
        if !lanes_run && self.isa.is_some() {
            bail!(Usage::new(
                "--isa is for lanes, which do not run here: another variant was named, or took their place \
                 because of --max-time"
            ));
        }
        lanes_run.then(|| self.isa()).transpose()
    }

    /// The instruction set.
    pub(crate) fn isa(&self) -> anyhow::Result<Isa> {
        match self.isa {
            Some(isa) if !isa.is_available() => {
                bail!(Usage::new(format_args!("this machine does not have {isa}")))
            }
            isa => Ok(isa.unwrap_or_else(Isa::detect)),
        }
    }
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  sudoku-bench compare
  sudoku-bench compare data/everyday.csv -o out/everyday
  sudoku-bench compare big.csv -t early-return,mrv --sample 10k --max-nodes 1M
  sudoku-bench compare data/everyday.csv -t break,mrv --isomorphs 5 --sample 200
  sudoku-bench compare data/everyday.csv -t break,mrv,lanes
  sudoku-bench compare big.csv --shard 1/2 -o out/shard-1
  sudoku-bench compare big.csv --shard 2/2 -o out/shard-2")]
pub(crate) struct CompareArgs {
    /// Puzzle files; `-` is standard input [default: a data set in the binary]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Variants to compare
    ///
    /// `lanes` takes many puzzles at once, so that none has a time of its own. It is compared per
    /// block of 256 rows, and cannot be the baseline.
    #[arg(short = 't', long, value_name = "A,B,…", value_delimiter = ',', value_parser = engine(),
          default_values_t = Variant::TEMPLATES.map(Engine::Variant),
          help_heading = heading::COMPARISON)]
    pub(crate) variants: Vec<Engine>,

    /// The variant that ratios divide by [default: the first of the variants]
    #[arg(long, value_name = "NAME", value_parser = engine(), help_heading = heading::COMPARISON)]
    pub(crate) baseline: Option<Engine>,

    /// Leave out, for all variants, a puzzle on which one needs more nodes; `none` for no cap
    #[arg(long, value_name = "N", value_parser = cap, default_value = "5M",
          help_heading = heading::LIMITS)]
    pub(crate) max_nodes: Cap,

    /// Draw this many rows of each file at random
    #[arg(long, value_name = "N", value_parser = positive, help_heading = heading::INPUT)]
    pub(crate) sample: Option<u64>,

    /// Compare only the I-th of N parts of the file, from 1: the rows that begin within its bytes
    ///
    /// All parts are as long. `report --merge shards` makes one run of those on all of them, be they of
    /// several machines. Lines are counted from the start of the file, for which each part reads what
    /// lies before it.
    #[arg(long, value_name = "I/N", help_heading = heading::INPUT)]
    pub(crate) shard: Option<Shard>,

    /// Solve each puzzle also in this many equivalent forms
    ///
    /// A form has its digits renamed, its bands, its stacks, the rows within bands and the columns
    /// within stacks in another order, and with an even chance rows and columns exchanged. It is the
    /// same puzzle to a human, and can be another search to a template, which takes cells and digits
    /// in a fixed order. All variants get the same forms; the seed decides which. What counts is the
    /// mean over the forms of a puzzle.
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = clap::value_parser!(u32).range(0..=100),
          help_heading = heading::MEASUREMENT)]
    pub(crate) isomorphs: u32,

    /// How often each search is measured; its time is the shortest
    #[arg(long, value_name = "K", default_value_t = 6,
          value_parser = clap::value_parser!(u32).range(1..=1000),
          help_heading = heading::MEASUREMENT)]
    pub(crate) passes: u32,

    /// Also measure how many puzzles a second these numbers of threads solve together
    ///
    /// After the race of a file, each variant solves up to 16,384 of the compared puzzles, drawn at
    /// random, with each number of threads. The rate of one thread differs from that in the table of
    /// times, which adds up single searches, each at its fastest and without the making of its state.
    /// -j has no part in it. Nor does its time count into --time-budget; a file that the budget cuts
    /// short gets no throughput.
    #[arg(id = "throughput_threads", long = "threads", value_name = "N,N,…", value_delimiter = ',',
          value_parser = clap::value_parser!(u16).range(1..=1024),
          help_heading = heading::MEASUREMENT)]
    pub(crate) throughput_threads: Vec<u16>,

    /// Confidence of the intervals, such as 0.95 or 99%
    #[arg(long, value_name = "C", value_parser = confidence, default_value = "0.95",
          help_heading = heading::COMPARISON)]
    pub(crate) confidence: f64,

    /// Differences up to this do not matter: 1% or 0.01
    #[arg(long, value_name = "M", value_parser = margin, default_value = "1%",
          help_heading = heading::COMPARISON)]
    pub(crate) margin: f64,

    /// Do without the three copies of the baseline that show how much the placement of the code matters
    #[arg(long, help_heading = heading::MEASUREMENT)]
    pub(crate) no_controls: bool,

    /// Begin no group of 16 puzzles after this long, such as 30s; takes blocks in random order
    ///
    /// Files are often sorted by difficulty, so their blocks of 256 rows come in an order that the
    /// seed decides. A group that was begun is finished, all 16 puzzles in all their forms. What is done makes a valid report, marked
    /// as partial. Several files share the time. A pipe is read into memory first, and what a
    /// compressed, UTF-16 or Parquet file holds is, too.
    #[arg(long, value_name = "D", value_parser = time_budget,
          help_heading = heading::LIMITS)]
    pub(crate) time_budget: Option<Duration>,

    /// Seed of the sample, of the equivalent forms and of all orders
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = heading::MEASUREMENT)]
    pub(crate) seed: u64,

    /// Write the run into this folder, beside the report on standard output
    ///
    /// The files are report.html, report.md with its charts, *.svg, report.json, summary.csv,
    /// puzzles.csv, and for each variant an HdrHistogram percentile file, *.hgrm.
    #[arg(short, long, value_name = "DIR", help_heading = heading::OUTPUT)]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,

    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Several runs of the same settings on the same inputs, each of a program whose functions the linker
put in another order, make one claim-grade report: where code lies is then a random error with an
interval of its own. scripts/claim-run.sh makes such runs.

The runs of one program on all shards of a file (`compare --shard`) make the run of the whole file: its
estimates are made anew from their puzzles.csv, and the report names the difference of the machines.

Examples:
  sudoku-bench report results/embedded
  sudoku-bench report results/embedded --format html > out/report.html
  sudoku-bench report --merge layouts results/everyday/layout-* -o out/layouts
  sudoku-bench report --merge shards out/shard-1 out/shard-2 -o out/merged")]
pub(crate) struct ReportArgs {
    /// Folders that `compare -o` wrote, or their report.json
    #[arg(value_name = "RUN", required = true)]
    pub(crate) runs: Vec<PathBuf>,

    /// What differs between several runs that are to be put together
    #[arg(long, value_name = "WHAT", help_heading = heading::INPUT)]
    pub(crate) merge: Option<Merge>,

    /// What is printed, or with `-o` written [default: text on a terminal, else md]
    ///
    /// `text` is a short table; `md` the report, with its charts only where it is written; `html` one
    /// page with the charts in it; `csv` a row for each file and each variant that is timed puzzle by
    /// puzzle; `json` what all are made from. Of several layouts there are md, the default, html and
    /// json.
    #[arg(long, value_name = "FORMAT", help_heading = heading::OUTPUT)]
    pub(crate) format: Option<ReportFormat>,

    /// Write the report into this folder, too
    ///
    /// Without `--format` these are report.md, report.html and their charts, and summary.csv; of
    /// several layouts, layouts.md, layouts.html, their chart and layouts.json; of shards, all that
    /// `compare -o` writes but puzzles.csv, in place of an earlier run.
    #[arg(short, long, value_name = "DIR", help_heading = heading::OUTPUT)]
    pub(crate) output: Option<PathBuf>,
}

/// A form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ReportFormat {
    /// A short table
    Text,
    /// Markdown
    Md,
    /// One page that needs nothing else
    Html,
    /// A row for each file and variant
    Csv,
    /// The model
    Json,
}

/// What differs between runs.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Merge {
    /// The layout of the machine code
    Layouts,
    /// The part of one file
    Shards,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Both folders must stem from the same input files. The puzzles that were timed in both are paired.
A variant is slower if the interval of its typical ratio lies above 1 + the limit; then the exit
code is 3, also when only the machine was slower. The limit is that of --fail-on, or the difference
between copies of the baseline in either run if that is more.

Examples:
  sudoku-bench compare data/everyday.csv -o out/old
  sudoku-bench compare data/everyday.csv -o out/new
  sudoku-bench diff out/old out/new --fail-on 3%")]
pub(crate) struct DiffArgs {
    /// The folder of the earlier run
    #[arg(value_name = "OLD")]
    pub(crate) old: PathBuf,

    /// The folder of the later run
    #[arg(value_name = "NEW")]
    pub(crate) new: PathBuf,

    /// How much slower a variant may become: 5% or 0.05
    #[arg(long, value_name = "M", value_parser = margin, default_value = "5%",
          help_heading = heading::COMPARISON)]
    pub(crate) fail_on: f64,

    /// Confidence of the intervals, such as 0.95 or 99%
    #[arg(long, value_name = "C", value_parser = confidence, default_value = "0.95",
          help_heading = heading::COMPARISON)]
    pub(crate) confidence: f64,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
The output has one row for each input row, in input order:
  line,puzzle,solution,status,nodes,time_ns
A `file` column comes first when there are several files, and `--unique` adds `solutions`
(0, 1, or 2 for two or more) before `nodes`, `--rate` adds `rate` behind it. Statuses: solved,
unsolvable, invalid (the givens conflict), malformed (no grid), limit-nodes, limit-time, panic (a
fault of the program, which costs the row; the exit code is then 1).

With --keep-columns a row is the input's own, byte for byte, in place of line and puzzle; the
delimiter is the input's, too. A name that its header has already gets the ending `_found`; an input
without header gives an output without. A row with fewer fields than the header is filled up with
empty ones. A row whose quoted field is not closed is kept as one quoted field, and of a line over
64 KiB the start is kept.

Examples:
  sudoku-bench solve data/everyday.csv -o solved.csv
  sudoku-bench solve puzzles.csv.gz --unique -o solved.csv
  sudoku-bench solve big.csv -o solved.csv.zst --resume
  sudoku-bench solve data/sparse.csv -t break --max-nodes 100k -o solved.csv
  sudoku-bench solve kaggle.csv --keep-columns --rate -o rated.csv
  sudoku-bench solve big.csv --shard 3/8 --partial -o part-3.csv")]
pub(crate) struct SolveArgs {
    /// Puzzle files; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// The variant that solves [default: lanes, and mrv with --max-time]
    #[arg(short = 't', long, value_name = "NAME", value_parser = engine(),
          help_heading = heading::SEARCH)]
    pub(crate) variant: Option<Engine>,

    /// Write the answers here instead of to standard output; .gz and .zst are compressed
    ///
    /// Until it is complete the file is called .OUT.partial. If the run is interrupted or fails,
    /// what is done stays there, and .OUT.partial.json says how far it got.
    #[arg(short, long, value_name = "OUT", help_heading = heading::OUTPUT)]
    pub(crate) output: Option<PathBuf>,

    /// Continue the unfinished output of the same command on the same files
    ///
    /// It takes `-o` and input files; pipes cannot be read again. Without it an unfinished output
    /// is discarded.
    #[arg(long, help_heading = heading::OUTPUT)]
    pub(crate) resume: bool,

    /// Take only the I-th of N parts of the file, from 1: the rows that begin within its bytes
    ///
    /// All parts are as long, and the outputs of all, one after the other, are that of the whole file;
    /// the header stands in the first. Lines are counted from the start of the file, for which each
    /// part reads what lies before it; with --keep-columns or --output-format lines, which show no
    /// line numbers, a file of lines is only read from there on.
    #[arg(long, value_name = "I/N", help_heading = heading::INPUT)]
    pub(crate) shard: Option<Shard>,

    /// End the output with a record of what its rows add up to, for `merge`
    ///
    /// It is a line that begins with `#partial,`, which no command takes for a row. It is in the same
    /// output as the rows, so that whatever becomes of a task and its repetitions, both count once.
    /// Output that is interrupted or fails gets none.
    #[arg(long, conflicts_with = "resume", help_heading = heading::OUTPUT)]
    pub(crate) partial: bool,

    /// Stop a search after this many nodes; `none` for no cap
    #[arg(long, value_name = "N", value_parser = cap, default_value = "none",
          help_heading = heading::LIMITS)]
    pub(crate) max_nodes: Cap,

    /// Say for each puzzle whether it has 0, 1, or 2 (two or more) solutions
    ///
    /// `lanes` counts them as it solves; beside another variant `mrv` does.
    #[arg(long, help_heading = heading::SEARCH)]
    pub(crate) unique: bool,

    /// Rate each puzzle: the nodes in which `mrv` solves it, within the same limits
    #[arg(long, help_heading = heading::SEARCH)]
    pub(crate) rate: bool,

    /// Keep each row as it is, with all its columns, and put the answers behind it
    #[arg(long, help_heading = heading::OUTPUT)]
    pub(crate) keep_columns: bool,

    /// What the output is
    #[arg(long, value_name = "FORMAT", default_value = "csv", help_heading = heading::OUTPUT)]
    pub(crate) output_format: OutputFormat,

    /// Write the reason for every malformed row here; standard error shows the first 20
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub(crate) errors: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,

    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
The records are those of `solve --partial`, wherever they stand among the rows, one or several in a
file. They must be of the same version, engine and limits, and no shard may come twice. Missing
shards are named, and the exit code is then 4 unless a record is printed, to be merged with others.
Whether rows are missing or came twice, --expect-rows and --expect-sum tell.

Examples:
  sudoku-bench solve big.csv --shard 1/2 --partial -o part-1.csv
  sudoku-bench solve big.csv --shard 2/2 --partial -o part-2.csv
  sudoku-bench merge part-1.csv part-2.csv
  cat part-1.csv part-2.csv | sudoku-bench merge - --json")]
pub(crate) struct MergeArgs {
    /// Files with records and, mostly, rows; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Fail with exit code 4 unless there are as many rows
    #[arg(long, value_name = "N", value_parser = number, help_heading = heading::COMPARISON)]
    pub(crate) expect_rows: Option<u64>,

    /// Fail with exit code 4 unless this is the sum of the hashes of all rows, in 16 hexadecimal digits
    ///
    /// The hash is XXH64 with the seed 42, that of Spark SQL's `xxhash64`, of a row without its line
    /// end. The order of the rows does not matter.
    #[arg(long, value_name = "S", help_heading = heading::COMPARISON)]
    pub(crate) expect_sum: Option<Sum>,

    /// Print a JSON object with what the record holds
    #[arg(long, help_heading = heading::OUTPUT)]
    pub(crate) json: bool,

    /// Print a record, which can be merged again
    #[arg(long, conflicts_with = "json", help_heading = heading::OUTPUT)]
    pub(crate) partial: bool,
}

/// What `solve` writes.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum OutputFormat {
    /// A row of answers for each row
    Csv,
    /// The bare solution of each row; an empty line where there is none
    Lines,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Verdicts on a puzzle: unique, multiple (two solutions or more), unsolvable, invalid (the givens
conflict), malformed (no grid), limit-nodes, limit-time, panic.
Of the solution beside it: match, differs (a solution, but of several, and not the one that `solve`
finds), valid (a solution, but a cap stopped the search for others), not-valid (empty cells, or a
digit twice in a unit), contradicts (it changes a given), malformed (no grid), missing (no text).

`lanes` finds the solutions, and with --max-time `mrv`, which may find another one where there are
several.

Untrue are invalid and unsolvable puzzles, and solutions that are not-valid, contradict or are
malformed; with --require-unique also every puzzle that is not shown to be unique. The exit code is
then 4.

-o writes a row for each row of input, in input order:
  line,puzzle,verdict,solutions,solution_check
A `file` column comes first when there are several files. `solutions` is 0, 1, or 2 for two or more.

Examples:
  sudoku-bench verify data/everyday.csv
  sudoku-bench verify kaggle.csv --require-unique --errors untrue.txt
  zcat puzzles.csv.gz | sudoku-bench verify - -o - > verdicts.csv")]
pub(crate) struct VerifyArgs {
    /// Puzzle files; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    pub(crate) files: Vec<PathBuf>,

    /// Write the verdict on each row here; .gz and .zst are compressed
    ///
    /// Until it is complete the file is called .OUT.partial. With `-` the rows go to standard output, and the summary to standard error.
    #[arg(short, long, value_name = "OUT", help_heading = heading::OUTPUT)]
    pub(crate) output: Option<PathBuf>,

    /// Every puzzle must be shown to have exactly one solution
    #[arg(long, help_heading = heading::SEARCH)]
    pub(crate) require_unique: bool,

    /// Stop a count of solutions after this many nodes; `none` for no cap
    #[arg(long, value_name = "N", value_parser = cap, default_value = "none",
          help_heading = heading::LIMITS)]
    pub(crate) max_nodes: Cap,

    /// Write the reason for every malformed or untrue row here; standard error shows the first 20
    #[arg(long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub(crate) errors: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,

    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  sudoku-bench show '53..7.... 6..195... .98....6. 8...6...3 4..8.3..1
                     7...2...6 .6....28. ...419..5 ....8..79'
  sudoku-bench show - < nine_lines.txt")]
pub(crate) struct ShowArgs {
    /// The puzzle in 81 characters, white space aside; `-` or nothing reads standard input
    #[arg(value_name = "PUZZLE")]
    pub(crate) puzzle: Option<String>,

    /// Variants to run
    #[arg(short = 't', long, value_name = "A,B,…", value_delimiter = ',', value_parser = variant(),
          default_values_t = Variant::ALL, help_heading = heading::SEARCH)]
    pub(crate) variants: Vec<Variant>,

    /// Stop a search after this many nodes; `none` for no cap
    #[arg(long, value_name = "N", value_parser = cap, default_value = "50M",
          help_heading = heading::LIMITS)]
    pub(crate) max_nodes: Cap,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
The same seed, --clues, --minimal and --symmetry give the same puzzles on any machine, with any
instruction set and any number of threads.

Examples:
  sudoku-bench generate -n 1000 -o puzzles.csv
  sudoku-bench generate -n 50 --clues 24 --seed 7
  sudoku-bench generate -n 50 --minimal --symmetry rotate180")]
pub(crate) struct GenerateArgs {
    /// How many puzzles
    #[arg(short = 'n', long, value_name = "N", value_parser = number,
          help_heading = heading::PUZZLES)]
    pub(crate) count: u64,

    /// Clues of a puzzle: a number, or the two ends of a range of which each is equally likely
    /// [default: 28-34, or with --minimal what comes]
    ///
    /// With --symmetry, of the numbers in the range those that such a pattern can have are equally
    /// likely. With --minimal, puzzles are made until one has a number in the range.
    #[arg(long, value_name = "MIN-MAX", value_parser = range, help_heading = heading::PUZZLES)]
    pub(crate) clues: Option<RangeInclusive<u32>>,

    /// Only puzzles of which no clue can go: without it there would be other solutions
    #[arg(long, help_heading = heading::PUZZLES)]
    pub(crate) minimal: bool,

    /// The symmetry of the pattern that the clues make
    #[arg(long, value_name = "PATTERN", value_parser = pattern(), default_value_t = Pattern::None,
          help_heading = heading::PUZZLES)]
    pub(crate) symmetry: Pattern,

    /// Seed of everything random
    #[arg(long, value_name = "S", default_value_t = 1, help_heading = heading::PUZZLES)]
    pub(crate) seed: u64,

    /// Write the puzzles here instead of to standard output; .gz and .zst are compressed
    ///
    /// Until it is complete the file is called .FILE.partial.
    #[arg(short, long, value_name = "FILE", help_heading = heading::OUTPUT)]
    pub(crate) output: Option<PathBuf>,

    /// Generating threads [default: all cores]
    #[arg(short = 'j', long = "jobs", value_name = "N", value_parser = threads,
          help_heading = heading::MACHINE)]
    pub(crate) threads: Option<usize>,

    #[command(flatten)]
    pub(crate) engine: EngineArgs,

    /// No progress
    #[arg(short, long, help_heading = heading::OUTPUT)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  sudoku-bench variants
  sudoku-bench variants --code")]
pub(crate) struct VariantsArgs {
    /// Show the size and place of the machine code that is timed, and which variants share theirs
    ///
    /// Copies of `break`, each placed elsewhere, are shown too. It takes the symbol table of the
    /// executable, and an x86-64 processor.
    #[arg(long)]
    pub(crate) code: bool,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
The first example is for one session of bash. To have completions in each, put the script where the
shell looks for them.

Examples:
  source <(sudoku-bench completions bash)
  sudoku-bench completions zsh > out/_sudoku-bench
  sudoku-bench completions fish > out/sudoku-bench.fish")]
pub(crate) struct CompletionsArgs {
    /// The shell that is to read it
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  sudoku-bench man > out/sudoku-bench.1
  sudoku-bench man out/man/man1")]
pub(crate) struct ManArgs {
    /// Write a page for the program and for each command into this folder, which is made if needed
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}

/// A number of nodes, or no cap at all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cap(pub(crate) Option<u64>);

fn cap(text: &str) -> Result<Cap, String> {
    if text == "none" { Ok(Cap(None)) } else { number(text).map(|nodes| Cap(Some(nodes))) }
}

/// A whole number, possibly with `k`, `M` or `G` behind it: `10k`, `1.5M`.
fn number(text: &str) -> Result<u64, String> {
    let (digits, zeros) = match text.char_indices().next_back() {
        Some((end, 'k' | 'K')) => (&text[..end], 3),
        Some((end, 'm' | 'M')) => (&text[..end], 6),
        Some((end, 'g' | 'G')) => (&text[..end], 9),
        _ => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !is_number(whole) || !is_number(fraction) || fraction.len() > zeros {
        return Err("expected a whole number such as 500, 10k or 1.5M".into());
    }
    format!("{whole}{fraction:0<zeros$}").parse().map_err(|_| "the number is too large".into())
}

/// A fraction, possibly as a percentage.
fn fraction(text: &str) -> Option<f64> {
    let (number, unit) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    number.trim_end().parse::<f64>().ok().filter(|number| number.is_finite()).map(|n| n / unit)
}

fn confidence(text: &str) -> Result<f64, String> {
    let valid = fraction(text).filter(|fraction| (0.5..1.0).contains(fraction));
    valid.ok_or_else(|| "expected a number from 0.5 to less than 1, such as 0.95 or 99%".into())
}

fn margin(text: &str) -> Result<f64, String> {
    let valid = fraction(text).filter(|fraction| (0.0..1.0).contains(fraction));
    valid.ok_or_else(|| "expected a fraction such as 1% or 0.01".into())
}

fn positive(text: &str) -> Result<u64, String> {
    number(text).and_then(|value| if value > 0 { Ok(value) } else { Err("at least 1".into()) })
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("0 threads cannot solve anything; leave -j out to use all cores".into()),
        Ok(count @ 1..=1024) => Ok(count),
        _ => Err("expected a number of threads from 1 to 1024".into()),
    }
}

fn column(text: &str) -> Result<Column, String> {
    match text.parse() {
        Ok(0) => Err("columns are counted from 1".into()),
        Ok(number) => Ok(Column::Number(number)),
        Err(_) => Ok(Column::Name(text.into())),
    }
}

/// A time in which something can be done.
fn time_budget(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(Duration::ZERO) => Err("nothing can be measured in no time".into()),
        Ok(time) => Ok(time),
        Err(error) => Err(error.to_string()),
    }
}

fn range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    match (low.parse(), high.parse()) {
        (Ok(low), Ok(high)) if low <= high => Ok(low..=high),
        (Ok(low), Ok(high)) => Err(format!("a range runs upwards: {high}-{low}")),
        _ => Err("expected a number of clues such as 30, or a range such as 28-34".into()),
    }
}

/// One of a few things by name; clap offers the nearest one when it is misspelt.
fn named<T, const N: usize>(
    all: [T; N],
    value: fn(T) -> PossibleValue,
) -> impl TypedValueParser<Value = T>
where
    T: Copy + Send + Sync + 'static,
{
    let find = move |name: String| all.into_iter().find(|&it| value(it).get_name() == name);
    PossibleValuesParser::new(all.map(value))
        .map(move |name| find(name).expect("clap has checked the name"))
}

fn variant() -> impl TypedValueParser<Value = Variant> {
    named(Variant::ALL, |variant| variant.name().into())
}

fn engine() -> impl TypedValueParser<Value = Engine> {
    named(Engine::ALL, |engine| engine.name().into())
}

fn isa() -> impl TypedValueParser<Value = Isa> {
    named(Isa::ALL, |isa| isa.name().into())
}

fn pattern() -> impl TypedValueParser<Value = Pattern> {
    named(Pattern::ALL, |pattern| PossibleValue::new(pattern.name()).help(pattern.summary()))
}

fn format() -> impl TypedValueParser<Value = Format> {
    named(Format::ALL, |format| PossibleValue::new(format.name()).help(format.summary()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definitions_are_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn a_choice_of_color_is_found_among_arguments_that_are_wrong() {
        let choice = |text: &str| color_of(text.split(' ').map(OsString::from));
        for text in ["comapre --color never", "--color=never --x", "--color always --color never"] {
            assert_eq!(choice(text), ColorChoice::Never, "{text}");
        }
        for text in ["compare", "--colored=never", "--color maybe", "--color", "-- --color never"] {
            assert_eq!(choice(text), ColorChoice::Auto, "{text}");
        }
    }

    #[test]
    fn numbers_take_a_unit() {
        let read = ["7", "10k", "1M", "1.5M", "2G", "0.25k"].map(|text| number(text).unwrap());
        assert_eq!(read, [7, 10_000, 1_000_000, 1_500_000, 2_000_000_000, 250]);
        for text in ["", "k", "-1", "1.5", "1e6", "1.2345k", "99999999999G", "1 k", "+1"] {
            assert!(number(text).is_err(), "{text}");
        }
    }

    #[test]
    fn fractions_may_be_percentages() {
        assert_eq!(confidence("0.95"), Ok(0.95));
        assert_eq!(confidence("99%"), Ok(0.99));
        assert_eq!(margin("1%"), Ok(0.01));
        assert_eq!(margin("0"), Ok(0.0));
        for text in ["1", "95", "100%", "0.4", "NaN", "", "%", "x%"] {
            assert!(confidence(text).is_err(), "{text}");
        }
        for text in ["-1%", "1", "100%", "inf"] {
            assert!(margin(text).is_err(), "{text}");
        }
    }

    #[test]
    fn ranges_run_upwards() {
        assert_eq!(range("28-34"), Ok(28..=34));
        assert_eq!(range("30"), Ok(30..=30));
        assert_eq!(range("34-28").unwrap_err(), "a range runs upwards: 28-34");
        assert!(range("few").is_err());
    }
}
