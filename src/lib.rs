//! tour
pub mod arch;
pub mod grid;
pub mod solver;
