//! Fuzzes the client side of HTTP with responses: see `run::fuzzing`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| run::fuzzing::response(bytes));
