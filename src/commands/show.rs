//! `show`: one puzzle, for learners.

use crate::cli::ShowArgs;
use crate::ending::Ending;
use anyhow::Context;
use std::fmt::Write as _;
use std::io::{Read, Write, stdin, stdout};
use sudoku_bench::grid::Grid;
use sudoku_bench::measure::{Arm, WallClock};
use sudoku_bench::report::{count, duration};
use sudoku_bench::solver::{Limits, Status, count_solutions};

pub(crate) fn run(args: ShowArgs) -> anyhow::Result<Ending> {
    let text = match args.puzzle {
        Some(text) if text != "-" => text.into_bytes(),
        _ => {
            let mut text = Vec::new();
            // A grid is short; whatever else comes is not one.
            stdin().take(1 << 16).read_to_end(&mut text).context("cannot read the puzzle")?;
            text
        }
    };
    let text: Vec<u8> = text.into_iter().filter(|byte| !byte.is_ascii_whitespace()).collect();
    let puzzle = Grid::parse(&text).context("not a puzzle")?;
    let mut page = format!("{} clues\n\n{}\n", puzzle.clues(), drawing(&puzzle));
    let limits = Limits {
        nodes: args.max_nodes.0,
        interrupt: Some(super::interrupt()),
        ..Limits::default()
    };
    let conflicts = puzzle.conflicts();
    let mut ending = Ending::default();
    if conflicts.is_empty() {
        let arms: Vec<Arm<WallClock>> = args.variants.into_iter().map(Arm::variant).collect();
        match answer(&puzzle, &arms, &limits, &mut page) {
            Some(right) => ending.wrong = !right,
            None => ending.interrupted = true,
        }
    } else {
        let list: Vec<String> = conflicts.iter().map(ToString::to_string).collect();
        let _ = writeln!(page, "Invalid: {}. Nothing was searched.", list.join("; "));
    }
    stdout().write_all(page.as_bytes()).context("cannot write the page")?;
    Ok(ending)
}

/// Adds the solution and the table of the work; `false` when an arm is wrong, `None` when an
/// interrupt came first.
fn answer(
    puzzle: &Grid,
    arms: &[Arm<WallClock>],
    limits: &Limits,
    page: &mut String,
) -> Option<bool> {
    let mut solution = None;
    let (mut stopped, mut unsolvable) = (false, false);
    let mut rows = vec![
        ["variant", "answer", "nodes", "placements", "backtracks", "checks", "calls", "time"]
            .map(String::from),
    ];
    for arm in arms {
        let counted = arm.count(puzzle, limits);
        let ended = matches!(counted.status, Status::Solved | Status::Unsolvable);
        if counted.status == Status::Interrupted {
            page.push_str("Interrupted.\n");
            return None;
        }
        stopped |= !ended;
        unsolvable |= counted.status == Status::Unsolvable;
        solution = solution.or(counted.solution);
        let counts = counted.counts;
        let [nodes, placements, backtracks, checks, calls] =
            [counts.nodes, counts.placements, counts.backtracks, counts.checks, counts.calls]
                .map(count);
        let time = match ended {
            true => duration(arm.time(puzzle, &WallClock, 1).ns as f64),
            false => "–".into(),
        };
        let name = arm.name().to_string();
        let status = counted.status.to_string();
        rows.push([name, status, nodes, placements, backtracks, checks, calls, time]);
    }
    let right = solution.is_none_or(|grid| grid.solves(puzzle));
    match solution {
        Some(grid) => {
            let kind = match count_solutions(puzzle, limits) {
                Some(1) => "The solution (there is no other)",
                Some(_) => "A solution (there are others)",
                None => "A solution (whether there are others was not found within the cap)",
            };
            let _ = writeln!(page, "{kind}:\n\n{}", drawing(&grid));
        }
        None if !unsolvable => page.push_str("No answer within the cap on nodes.\n\n"),
        None => page.push_str("There is no solution, although no givens conflict.\n\n"),
    }
    table(&rows, page);
    if stopped {
        page.push_str("\nA search that a cap stopped has no time; --max-nodes none lets it end.\n");
    }
    Some(right)
}

/// The grid in a frame, its boxes apart.
fn drawing(grid: &Grid) -> String {
    let line =
        |left, cross, right| format!("{left}{0}{cross}{0}{cross}{0}{right}\n", "─".repeat(7));
    let mut text = line('┌', '┬', '┐');
    for (row, cells) in grid.cells().chunks(9).enumerate() {
        if row == 3 || row == 6 {
            text += &line('├', '┼', '┤');
        }
        for (column, &cell) in cells.iter().enumerate() {
            text += if column % 3 == 0 { "│ " } else { "" };
            text.push(if cell == 0 { '.' } else { char::from(b'0' + cell) });
            text.push(' ');
        }
        text += "│\n";
    }
    text + &line('└', '┴', '┘')
}

fn table(rows: &[[String; 8]], page: &mut String) {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max();
    for row in rows {
        for (column, cell) in row.iter().enumerate() {
            let width = width(column).unwrap_or(0);
            let _ = match column {
                0 | 1 => write!(page, "{cell:<width$}  "),
                7 => writeln!(page, "{cell:>width$}"),
                _ => write!(page, "{cell:>width$}  "),
            };
        }
    }
}
