//! Fuzzes building, framing and reading back a message: see `wire::fuzzing`.
#![no_main]

mcp_conform_fuzz_targets::by_structure!(Message);
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| wire::fuzzing::roundtrip(bytes));
