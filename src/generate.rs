//! New puzzles.
