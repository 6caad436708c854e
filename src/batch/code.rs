//! The machine code of a line-up.

use crate::machine_code;
use crate::measure::{Arm, Clock, Lineup};
use crate::report::{Code, Function};

/// Looks at the machine code that the arms will run.
pub fn code<C: Clock>(lineup: &Lineup<C>) -> Code {
    let addresses: Vec<usize> = lineup.arms().iter().map(Arm::address).collect();
    let layout = addresses.iter().map(|address| address.wrapping_sub(addresses[0]) as i64);
    let layout = layout.collect();
    match machine_code::examine(&addresses) {
        Err(reason) => {
            Code { layout, not_checked: Some(reason.to_string()), functions: Vec::new() }
        }
        Ok(found) => {
            let functions = std::iter::zip(lineup.arms(), found)
                .filter_map(|(arm, code)| Some(Function { arm: arm.name().into(), code: code? }));
            Code { layout, not_checked: None, functions: functions.collect() }
        }
    }
}
