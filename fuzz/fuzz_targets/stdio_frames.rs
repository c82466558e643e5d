//! Fuzzes newline framing: see `wire::fuzzing`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wire::fuzzing::frames(bytes));
