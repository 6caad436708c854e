//! Comparisons whose answer is known before the run: `break` against its own code.
//!
//! `self-run twin` races `break` with one more separately placed copy of itself, without saying
//! that the code is the same: every difference is an error of the measurement. `self-run spin`
//! races it with a copy that idles until 1.05 times its search are over: that difference must be
//! found. Each prints one line.
//!
//! A spinning search also reads the clock itself, some 150 ns in all: on puzzles of half a
//! microsecond the effect is not 5 % but more than 25 %, on those in the library about 6 %.

use clap::{Parser, ValueEnum};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::time::Instant;
use sudoku_bench::batch::{Compare, Observer, Terms, code};
use sudoku_bench::dataset::{Hints, Input, Reader, RowError};
use sudoku_bench::grid::Grid;
use sudoku_bench::measure::{Arm, Lineup, Race, Timer, WallClock};
use sudoku_bench::report::{Code, FileResult};
use sudoku_bench::solver::{Break, Limits, Probe, Search, Variant};

#[derive(Parser)]
struct Args {
    mode: Mode,
    /// Puzzles, if not those in the library
    file: Option<String>,
    /// Seed of all orders
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum Mode {
    Twin,
    Spin,
}

/// `break`, a copy that lies apart from the baseline and its controls.
type Twin = Break<4>;

/// The twin, slowed by a known factor where it is timed.
struct Spinning(Twin);

/// How long a spinning search takes, as a ratio to the search alone.
const FACTOR: f64 = 1.05;

impl Search for Spinning {
    fn new(puzzle: &Grid) -> Self {
        Spinning(Twin::new(puzzle))
    }

    fn run<P: Probe>(&mut self, probe: &mut P) -> bool {
        // Only the probe that is timed has no size.
        if size_of::<P>() > 0 {
            return self.0.run(probe);
        }
        let start = Instant::now();
        let solved = self.0.run(probe);
        let end = start.elapsed().mul_f64(FACTOR);
        while start.elapsed() < end {}
        solved
    }

    fn grid(&self) -> Grid {
        self.0.grid()
    }
}

/// Malformed rows are nothing to report here.
struct Quiet;

impl Observer for Quiet {
    fn rows(&mut self, _: u64) {}
    fn malformed(&mut self, _: u64, _: &RowError) -> io::Result<()> {
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args = Args::parse();
    let (name, arm) = match args.mode {
        Mode::Twin => ("twin", Arm::of::<Twin>("twin")),
        Mode::Spin => ("spin", Arm::of::<Spinning>("spin")),
    };
    let baseline = Variant::Break;
    let lineup = Lineup::new(vec![Arm::variant(baseline), arm], 0);
    let lineup = lineup.with_controls(Arm::copies(baseline));
    let code = code(&lineup);
    if code.is_same(baseline.name(), name) == Some(false) {
        return Err("the twin was compiled to other instructions, so nothing is known".into());
    }
    let input = args.file.map_or_else(|| Ok(Input::embedded()), |file| Input::open(&file, None))?;
    let compare = Compare {
        race: Race {
            lineup: &lineup,
            limits: Limits { nodes: Some(5_000_000), ..Limits::default() },
            clock: &WallClock,
            timer: Timer::of(&WallClock),
            passes: 6,
            seed: args.seed,
        },
        // The rule for identical code would end the matter before any time is looked at.
        terms: &Terms { confidence: 0.95, margin: 0.01, identical_code: vec![None; 2] },
        sample: None,
        isomorphs: 0,
        lanes: None,
        deadline: None,
        pool: &rayon::ThreadPoolBuilder::new().num_threads(1).build()?,
    };
    let reader = Reader::new(input, &Hints::default())??;
    let result = compare.run(name, reader, None, &mut Quiet)?;
    println!("{}", line(&result, &code).ok_or("there are too few puzzles")?);
    Ok(())
}

/// Verdict, typical ratio with the interval that decides, control bound and layout.
fn line(result: &FileResult, code: &Code) -> Option<String> {
    let [comparison] = &result.comparisons[..] else { return None };
    let interval = comparison.corrected?;
    let mut layout = DefaultHasher::new();
    code.layout.hash(&mut layout);
    Some(format!(
        "{} {:<12} {:.4} [{:.4}, {:.4}]  controls ±{:.4}  layout {:016x}",
        comparison.variant,
        format!("{:?}", comparison.verdict).to_uppercase(),
        comparison.typical.ratio,
        interval.lo,
        interval.hi,
        result.controls.as_ref()?.bound?,
        layout.finish(),
    ))
}
