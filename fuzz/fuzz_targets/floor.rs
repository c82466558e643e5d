//! What reading JSON costs by itself: what the speed of `jsonrpc_message` is measured against.
#![no_main]

mcp_conform_fuzz_targets::by_structure!(Message);
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| drop(serde_json::from_slice::<serde_json::Value>(bytes)));
