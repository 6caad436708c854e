//! `dlx`: the puzzle as an exact cover problem, solved by Knuth's Algorithm X with dancing links.
//!
//! A filled grid covers 324 *items*, each exactly once: a digit in each cell, and each digit in each
//! row, column and box. An *option*, of which there are 729, places a digit in a cell and covers
//! four of them. The algorithm chooses an item that is not covered, tries the options that cover it
//! one after the other, and takes from the lists whatever such a choice rules out. It chooses an item
//! with the fewest options left, which is a cell or a place of a digit in a unit alike: naked and
//! hidden singles come first, and an item without options ends a branch.
//!
//! The links are doubly linked lists whose removed elements remember where they stood, so that they
//! find their way back: they dance. See D. E. Knuth, *Dancing links*, in *Millennial Perspectives in
//! Computer Science* (2000), and *The Art of Computer Programming*, section 7.2.2.1, whose terms are
//! used here.

use super::{Enumerate, Probe, Search};
use crate::arch::tag;
use crate::grid::{CELLS, Grid};
use std::sync::LazyLock;

/// Items: 81 cells, and nine digits in each of 27 units.
const ITEMS: usize = CELLS + 9 * 27;

/// Options: nine digits in each cell.
const OPTIONS: usize = 9 * CELLS;

/// Nodes: the root, a header for each item, and for each option a spacer before its four nodes;
/// one more spacer ends the last.
const NODES: usize = 1 + ITEMS + 5 * OPTIONS + 1;

/// The root, which is the header of no item and stands between the last and the first of them.
const ROOT: u16 = 0;

/// What stands in the place of an item in a spacer.
const SPACER: u16 = 0;

/// The lists of a problem, before or while options are chosen. All links are numbers of nodes, and
/// the header of an item has the item's own number, from 1 on.
#[derive(Clone, Debug)]
struct Links {
    /// Of items that are not covered: the one before and the one behind it.
    left: [u16; ITEMS + 1],
    right: [u16; ITEMS + 1],
    /// The number of options that an item has left.
    length: [u16; ITEMS + 1],
    /// The item of a node.
    top: [u16; NODES],
    /// The node above and that below it in the list of its item; of a spacer, the first node of the
    /// option before it and the last of the option behind it.
    up: [u16; NODES],
    down: [u16; NODES],
}

/// The problem of an empty grid.
static EMPTY: LazyLock<Links> = LazyLock::new(Links::new);

/// The items that are covered by `digit`, from 0, in `cell`.
fn items(cell: usize, digit: usize) -> [usize; 4] {
    let units = [Grid::row(cell), 9 + Grid::column(cell), 18 + Grid::box_of(cell)];
    let [row, column, box_] = units.map(|unit| 1 + CELLS + 9 * unit + digit);
    [1 + cell, row, column, box_]
}

/// The first node of the option that places `digit`, from 0, in `cell`: the one of the cell.
const fn option(cell: usize, digit: usize) -> usize {
    1 + ITEMS + 5 * (9 * cell + digit) + 1
}

impl Links {
    fn new() -> Self {
        let mut links = Links {
            left: std::array::from_fn(|item| (item + ITEMS) as u16 % (ITEMS as u16 + 1)),
            right: std::array::from_fn(|item| (item + 1) as u16 % (ITEMS as u16 + 1)),
            length: [0; ITEMS + 1],
            top: [SPACER; NODES],
            // A header alone is its own neighbour.
            up: std::array::from_fn(|node| node as u16),
            down: std::array::from_fn(|node| node as u16),
        };
        for cell in 0..CELLS {
            for digit in 0..9 {
                let first = option(cell, digit);
                links.down[first - 1] = first as u16 + 3;
                links.up[first + 4] = first as u16;
                for (node, item) in (first..).zip(items(cell, digit)) {
                    let last = links.up[item];
                    links.top[node] = item as u16;
                    links.up[node] = last;
                    links.down[node] = item as u16;
                    links.down[usize::from(last)] = node as u16;
                    links.up[item] = node as u16;
                    links.length[item] += 1;
                }
            }
        }
        links
    }

    /// Takes an item out of the list of items, and its options out of all other lists.
    fn cover(&mut self, item: u16) {
        let mut node = self.down[usize::from(item)];
        while node != item {
            self.hide(node);
            node = self.down[usize::from(node)];
        }
        let (left, right) = (self.left[usize::from(item)], self.right[usize::from(item)]);
        self.right[usize::from(left)] = right;
        self.left[usize::from(right)] = left;
    }

    /// Undoes [`cover`](Links::cover), in the reverse order.
    fn uncover(&mut self, item: u16) {
        let (left, right) = (self.left[usize::from(item)], self.right[usize::from(item)]);
        self.right[usize::from(left)] = item;
        self.left[usize::from(right)] = item;
        let mut node = self.up[usize::from(item)];
        while node != item {
            self.unhide(node);
            node = self.up[usize::from(node)];
        }
    }

    /// Takes the other nodes of an option out of their lists.
    fn hide(&mut self, node: u16) {
        let mut other = usize::from(node) + 1;
        while other != usize::from(node) {
            let (item, up, down) = (self.top[other], self.up[other], self.down[other]);
            if item == SPACER {
                other = usize::from(up);
                continue;
            }
            self.down[usize::from(up)] = down;
            self.up[usize::from(down)] = up;
            self.length[usize::from(item)] -= 1;
            other += 1;
        }
    }

    /// Undoes [`hide`](Links::hide), in the reverse order.
    fn unhide(&mut self, node: u16) {
        let mut other = usize::from(node) - 1;
        while other != usize::from(node) {
            let (item, up, down) = (self.top[other], self.up[other], self.down[other]);
            if item == SPACER {
                other = usize::from(down);
                continue;
            }
            self.down[usize::from(up)] = other as u16;
            self.up[usize::from(down)] = other as u16;
            self.length[usize::from(item)] += 1;
            other -= 1;
        }
    }

    /// Covers the other items of the option of a node.
    fn choose(&mut self, node: u16) {
        let mut other = usize::from(node) + 1;
        while other != usize::from(node) {
            match self.top[other] {
                SPACER => other = usize::from(self.up[other]),
                item => {
                    self.cover(item);
                    other += 1;
                }
            }
        }
    }

    /// Undoes [`choose`](Links::choose), in the reverse order.
    fn take_back(&mut self, node: u16) {
        let mut other = usize::from(node) - 1;
        while other != usize::from(node) {
            match self.top[other] {
                SPACER => other = usize::from(self.down[other]),
                item => {
                    self.uncover(item);
                    other -= 1;
                }
            }
        }
    }

    /// The first item with the fewest options; [`ROOT`] when all items are covered.
    fn fewest(&self) -> u16 {
        let (mut best, mut fewest) = (ROOT, u16::MAX);
        let mut item = self.right[usize::from(ROOT)];
        while item != ROOT {
            if self.length[usize::from(item)] < fewest {
                best = item;
                fewest = self.length[usize::from(item)];
                if fewest == 0 {
                    break;
                }
            }
            item = self.right[usize::from(item)];
        }
        best
    }
}

/// The solver's state for one puzzle. `COPY` numbers separately placed copies of its code.
#[derive(Clone, Debug)]
pub struct Dlx<const COPY: u32 = 0> {
    cells: [u8; CELLS],
    links: Links,
}

impl<const COPY: u32> Search for Dlx<COPY> {
    fn new(puzzle: &Grid) -> Self {
        Dlx { cells: *puzzle.cells(), links: EMPTY.clone() }
    }

    fn run<P: Probe>(&mut self, probe: &mut P) -> bool {
        self.enumerate(probe, &mut 1)
    }

    fn grid(&self) -> Grid {
        Grid::from_cells(self.cells).expect("digits only")
    }
}

impl<const COPY: u32> Enumerate for Dlx<COPY> {
    fn enumerate<P: Probe>(&mut self, probe: &mut P, missing: &mut u8) -> bool {
        for cell in 0..CELLS {
            if self.cells[cell] != 0 {
                let node = option(cell, usize::from(self.cells[cell] - 1)) as u16;
                self.links.cover(self.links.top[usize::from(node)]);
                self.links.choose(node);
            }
        }
        self.search(probe, missing)
    }
}

impl<const COPY: u32> Dlx<COPY> {
    /// Covers the items that are left in every way until `missing` solutions are found. `true`:
    /// found them all, or stopped by the probe.
    #[inline(never)]
    fn search<P: Probe>(&mut self, probe: &mut P, missing: &mut u8) -> bool {
        tag::<5, COPY>();
        probe.call();
        let item = self.links.fewest();
        if item == ROOT {
            *missing -= 1;
            return *missing == 0;
        }
        if probe.node() {
            return true;
        }
        self.links.cover(item);
        let mut node = self.links.down[usize::from(item)];
        while node != item {
            probe.check();
            let place = (usize::from(node) - option(0, 0)) / 5;
            let (cell, digit) = (place / 9, place % 9);
            self.links.choose(node);
            self.cells[cell] = 1 + digit as u8;
            probe.placement();
            if self.search(probe, missing) {
                return true;
            }
            self.cells[cell] = 0;
            self.links.take_back(node);
            probe.backtrack();
            node = self.links.down[usize::from(node)];
        }
        self.links.uncover(item);
        false
    }
}
