//! Exit codes of the `mcp-conform` command; programs rely on them.

/// Nothing at or above the level that fails.
pub const CLEAN: u8 = 0;
/// Findings at or above the level that fails.
pub const FINDINGS: u8 = 1;
/// The command line, or a file that it names, is wrong.
pub const USAGE: u8 = 2;
/// The target could not be judged: it did not start, is unreachable, made no handshake, or nothing could be observed.
pub const UNJUDGED: u8 = 3;
/// Interrupted; the report is partial.
pub const INTERRUPTED: u8 = 130;
