//! Fuzzes the rules with stored transcripts: see `judge::fuzzing`.
#![no_main]

mcp_conform_fuzz_targets::by_structure!(Lines);
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| judge::fuzzing::transcript(bytes));
