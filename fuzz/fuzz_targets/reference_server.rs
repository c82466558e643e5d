//! Fuzzes the reference server as any author fuzzes their own: whatever it is told, every rule finds its answers right.
#![no_main]

use reference::fuzzing::Conversation;

mcp_conform_fuzz::fuzz_handler!(Conversation::default, Conversation::say);
