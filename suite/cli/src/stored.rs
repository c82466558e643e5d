//! Files that an earlier run has left, read again.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use verdict::record::{FORMAT, Report};

use crate::failure::Failure;

/// The longest file that is read.
const LONGEST: u64 = 256 << 20;

/// The text of a file; `-` is standard input.
pub(crate) fn text(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let read = if path.as_os_str() == "-" {
        std::io::stdin().lock().take(LONGEST).read_to_string(&mut text)
    } else {
        File::open(path).and_then(|file| file.take(LONGEST).read_to_string(&mut text))
    };
    read.map_err(|error| Failure::file("read", path, error))?;
    Ok(text)
}

/// The report that a text is.
pub(crate) fn report(path: &Path, text: &str) -> Result<Report, Failure> {
    let refuse = |reason: String| Failure::file("read", path, reason);
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
    let format = value.get("format").and_then(serde_json::Value::as_u64);
    if format != Some(u64::from(FORMAT)) {
        let what = "it is no report.json of mcp-conform, or one of another version: it has no \"format\": 1";
        return Err(refuse(what.to_owned()));
    }
    serde_json::from_value(value).map_err(|error| refuse(error.to_string()))
}
