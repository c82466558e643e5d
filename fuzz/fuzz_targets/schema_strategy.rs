//! Fuzzes the making of instances with schemas: see `schema::fuzzing`.
#![no_main]

mcp_conform_fuzz_targets::by_structure!(Message);
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| schema::fuzzing::strategy(bytes));
