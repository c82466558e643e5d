//! Files that runs read and write: bounded reads, and writes that never leave half a file.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use serde::de::DeserializeOwned;
use verdict::record::{FORMAT, Report};

use crate::failure::Failure;

/// Size limit of a file named on the command line, in bytes.
const READ_LIMIT: u64 = 256 << 20;
/// Size limit of the state that a run leaves for the next one, in bytes.
const STATE_LIMIT: u64 = 32 << 20;

/// Reads a text file, also a compressed one; `-` is standard input.
pub(crate) fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read_bytes(path)?).map_err(|_| Failure::file("read", path, "it is not UTF-8"))
}

/// Reads a file and decompresses it if it is gzip (RFC 1952); `-` is standard input.
pub(crate) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    let refuse = |error| Failure::file("read", path, error);
    let bytes =
        if path.as_os_str() == "-" { limited(std::io::stdin().lock()) } else { File::open(path).and_then(limited) };
    let bytes = bytes.map_err(refuse)?;
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(bytes);
    }
    limited(flate2::read::MultiGzDecoder::new(bytes.as_slice())).map_err(refuse)
}

/// Reads to the end; what is longer than the limit is an error.
fn limited(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(READ_LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > READ_LIMIT {
        return Err(std::io::Error::other(format!("it is larger than {} MiB", READ_LIMIT >> 20)));
    }
    Ok(bytes)
}

/// Parses a report.json.
pub(crate) fn parse_report(path: &Path, text: &str) -> Result<Report, Failure> {
    let refuse = |reason: String| Failure::file("read", path, reason);
    let value: serde_json::Value = serde_json::from_str(text).map_err(|error| refuse(error.to_string()))?;
    let format = value.get("format").and_then(serde_json::Value::as_u64);
    if format != Some(u64::from(FORMAT)) {
        return Err(refuse(
            "not a report.json, or from an incompatible version of mcp-conform: it has no \"format\": 1".to_owned(),
        ));
    }
    let mut report: Report = serde_json::from_value(value).map_err(|error| refuse(error.to_string()))?;
    // Earlier versions did not look for causes.
    for record in report.records_mut().iter_mut().filter(|record| record.causes.is_empty()) {
        record.causes = judge::causes_of(record);
    }
    Ok(report)
}

/// Reads the state that an earlier run left. An unreadable file counts as absent: the state only speeds up a run.
pub(crate) fn read_state<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let short = fs::metadata(path).is_ok_and(|data| data.len() <= STATE_LIMIT);
    let text = fs::read(path).ok().filter(|_| short)?;
    serde_json::from_slice(&text).ok()
}

/// Replaces a file atomically: readers never see half of it.
pub(crate) fn write_atomic(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}.tmp", std::process::id()));
    let written =
        File::create(&temporary).and_then(|mut file| file.write_all(bytes)).and_then(|()| fs::rename(&temporary, path));
    written.map_err(|error| {
        let _ = fs::remove_file(&temporary);
        Failure::file("write", path, error)
    })
}
