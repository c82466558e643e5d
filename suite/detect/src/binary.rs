//! Libraries within a binary: a Rust program keeps the paths of the sources that may panic, a Go program lists its modules.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use memchr::memmem;

use crate::packages::{CRATES, GO, Known};
use crate::process::Process;
use crate::{Found, Package, Registry};

/// Bytes that are read at once, of which so many are read again with the next.
const CHUNK: usize = 1 << 20;
const OVERLAP: usize = 512;
/// Bytes of a binary that are looked at.
const BINARY: usize = 512 << 20;

/// The SDK in the program of a process.
pub(crate) fn find(process: &Process) -> Option<Found> {
    let marks: Vec<Mark> = marks();
    let mut versions: Vec<Option<String>> = vec![None; marks.len()];
    scan(&process.program, |chunk| {
        for (mark, version) in marks.iter().zip(&mut versions).filter(|(_, version)| version.is_none()) {
            *version = mark.version(chunk);
        }
    })?;
    let (mark, version) = marks.iter().zip(versions).find_map(|(mark, version)| Some((mark, version?)))?;
    let package = Package { registry: mark.registry, name: mark.name.to_owned(), version };
    Some(Found { package, on: None, style: None })
}

/// What stands before the version of a package in a binary, and what ends it.
struct Mark {
    registry: Registry,
    name: &'static str,
    before: Vec<u8>,
    end: u8,
}

impl Mark {
    fn version(&self, bytes: &[u8]) -> Option<String> {
        memmem::find_iter(bytes, &self.before).find_map(|at| {
            let rest = &bytes[at + self.before.len()..];
            let end = rest.iter().take(64).position(|byte| *byte == self.end)?;
            let version = std::str::from_utf8(&rest[..end]).ok()?;
            is_version(version).then(|| version.to_owned())
        })
    }
}

fn is_version(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
        && text.contains('.')
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".+-".contains(&byte))
}

/// `/rmcp-3.4.1/src/…` of a panic message, and `dep\tgithub.com/…\tv1.2.0\t` of the build information
/// (<https://pkg.go.dev/debug/buildinfo>).
fn marks() -> Vec<Mark> {
    let rust =
        |(name, _): &Known| Mark { registry: Registry::Crates, name, before: format!("/{name}-").into(), end: b'/' };
    let go =
        |(name, _): &Known| Mark { registry: Registry::Go, name, before: format!("\t{name}\tv").into(), end: b'\t' };
    CRATES.iter().map(rust).chain(GO.iter().map(go)).collect()
}

/// Looks at a file piece by piece; each piece begins with the end of the one before it.
fn scan(path: &Path, mut look: impl FnMut(&[u8])) -> Option<()> {
    let mut file = File::open(path).ok()?;
    let mut chunk = vec![0; CHUNK + OVERLAP];
    let (mut kept, mut total) = (0, 0);
    while total < BINARY {
        let read = file.read(&mut chunk[kept..]).ok()?;
        if read == 0 {
            break;
        }
        let filled = kept + read;
        look(&chunk[..filled]);
        kept = filled.min(OVERLAP);
        chunk.copy_within(filled - kept..filled, 0);
        total += read;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(bytes: &[u8]) -> Option<Package> {
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("server");
        std::fs::write(&program, bytes).expect("a file");
        find(&Process { program, ..Process::default() }).map(|found| found.package)
    }

    #[test]
    fn sources_and_modules_are_found_wherever_they_stand() {
        let source = b"/registry/src/index.crates.io-1949/rmcp-3.4.1/src/service.rs";
        for at in [0, CHUNK - 10, CHUNK, CHUNK + OVERLAP - 20, 3 * CHUNK] {
            let rust = found(&[&vec![0; at][..], source].concat()).expect("a crate");
            assert_eq!((rust.name.as_str(), rust.version.as_str()), ("rmcp", "3.4.1"), "{at}");
        }
        let go = found(b"dep\tgithub.com/mark3labs/mcp-go\tv0.43.0\th1:abc=\n").expect("a module");
        assert_eq!((go.registry, go.version.as_str()), (Registry::Go, "0.43.0"));
    }

    #[test]
    fn what_only_sounds_like_a_package_is_none() {
        assert_eq!(found(b"/rmcp-macros-3.4.1/src/lib.rs /rmcp-latest/src"), None);
        assert_eq!(found(b""), None);
    }
}
