//! Compares our reader of event streams with another one.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| mcp_conform_fuzz_targets::sse_differential(bytes));
