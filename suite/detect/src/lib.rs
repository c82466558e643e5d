//! Which SDK a running server is built with, by the files that its processes use. Nothing is executed and nothing is written; what
//! cannot be told for certain is not told.

mod binary;
mod bundle;
mod files;
mod listening;
mod node;
mod npm;
mod packages;
mod process;
mod python;

pub use packages::{Package, Registry};
pub use process::Process;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The package whose code answers clients.
    pub package: Package,
    /// The package that it is built on: a framework on an SDK.
    pub on: Option<Package>,
    /// Which interface of the package the server uses, if the package has several and the code tells: `high` or `low`.
    pub style: Option<&'static str>,
}

/// Returns the SDK of a server that consists of these processes: the one that was started, then its descendants.
#[must_use]
pub fn by_files(processes: &[Process]) -> Option<Found> {
    let input = processes.first().and_then(|first| first.input.as_ref());
    // A launcher starts the server and leaves it its own input: the innermost process that has it tells. Others are what the server starts.
    let speaks = |process: &&Process| process.input.as_ref() == input;
    processes.iter().rev().filter(speaks).find_map(|process| match process.runtime() {
        process::Runtime::Node => node::find(process),
        process::Runtime::Python => python::find(process),
        process::Runtime::Own => binary::find(process),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_starts_for_itself_does_not_speak_for_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let process = |name: &str, input: &str, holds: &str| {
            let program = folder.path().join(name);
            std::fs::write(&program, holds).expect("a file");
            Process { program, input: Some(input.into()), ..Process::default() }
        };
        let launcher = process("launcher", "pipe:[1]", "");
        let server = process("server", "pipe:[1]", "/rmcp-3.4.1/src/");
        let helper = process("helper", "pipe:[2]", "/pmcp-1.2.0/src/");
        let found = by_files(&[launcher.clone(), server, helper.clone()]).expect("an SDK");
        assert_eq!(found.package.name, "rmcp");
        assert_eq!(by_files(&[launcher, helper]), None);
    }
}
