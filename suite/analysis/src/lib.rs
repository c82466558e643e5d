//! What a stored record says beyond its verdicts: pure functions of it and of tables that are compiled in.

pub mod hosts;
pub mod sdks;
#[cfg(test)]
mod testing;
