//! The only room with `unsafe`: what the processor offers, behind safe wrappers.
#![allow(unsafe_code)]

mod tag;

pub use tag::tag;
