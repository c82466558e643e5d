//! Fuzzes the server: whatever a client says, it must not panic, and every rule of mcp-conform must find its answers right.
#![no_main]

use mcp_conform_fuzz_example_rmcp::Conversation;

mcp_conform_fuzz::fuzz_handler!(Conversation::default, Conversation::say);
