//! Which SDK a running server is built with, by the files that its processes use. Nothing is executed and nothing is written; what
//! cannot be told for certain is not told.

mod binary;
mod files;
mod listening;
mod node;
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
    // A launcher starts the server: the innermost process that tells is it.
    processes.iter().rev().find_map(|process| match process.runtime() {
        process::Runtime::Node => node::find(process),
        process::Runtime::Python => python::find(process),
        process::Runtime::Own => binary::find(process),
    })
}
