//! Numbers of rows as an object, by the names of the statuses that a row can have.

use crate::solver::Status;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};
use std::collections::BTreeMap;

type Rows = [u64; Status::ALL.len()];

/// An interrupted search leaves no row.
fn statuses() -> impl Iterator<Item = Status> {
    Status::ALL.into_iter().filter(|status| *status != Status::Interrupted)
}

pub(super) fn serialize<S: Serializer>(rows: &Rows, to: S) -> Result<S::Ok, S::Error> {
    to.collect_map(statuses().map(|status| (status.name(), rows[status as usize])))
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Rows, D::Error> {
    let mut rows = Rows::default();
    let mut named = BTreeMap::<String, u64>::deserialize(from)?;
    for status in statuses() {
        let missing = || D::Error::custom(format_args!("the rows lack `{}`", status.name()));
        rows[status as usize] = named.remove(status.name()).ok_or_else(missing)?;
    }
    match named.keys().next() {
        Some(name) => Err(D::Error::custom(format_args!("no row has the status `{name}`"))),
        None => Ok(rows),
    }
}
