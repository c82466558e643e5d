//! Committed snapshots: compared with this run, or written anew.

use std::path::PathBuf;

use report::snapshot::{diff, file_name};
use verdict::record::{Record, Report};

use super::flags::SnapshotArg;
use super::folder::put;
use super::{Args, Format};
use crate::failure::Failure;
use crate::output;

/// What is to be done with snapshots.
pub(super) struct Snapshots {
    act: Option<SnapshotArg>,
    folder: PathBuf,
    name: Option<String>,
    on_stdout: bool,
}

impl Snapshots {
    pub(super) fn new(args: &Args) -> Result<Self, Failure> {
        let name = args.snapshot_name.clone();
        if let Some(name) = name.as_ref().filter(|name| name.is_empty() || name.contains(['/', '\\'])) {
            return Err(Failure::usage(format!(
                "--snapshot-name {name}: it is a name without folders; --reports DIR names the folder"
            )));
        }
        let on_stdout = args.format == Format::Human;
        Ok(Self { act: args.snapshot, folder: args.reports.clone(), name, on_stdout })
    }

    /// Compares or writes the snapshot of each record. True if one differs.
    pub(super) fn settle(&self, report: &Report) -> Result<bool, Failure> {
        let mut changed = false;
        for record in report.records() {
            match self.act {
                None => {}
                Some(SnapshotArg::Update) => self.update(record)?,
                Some(SnapshotArg::Check) => changed |= self.differs(record)?,
            }
        }
        Ok(changed)
    }

    fn path(&self, record: &Record) -> PathBuf {
        let name = self.name.as_ref().map(|name| format!("{name}.{}.snap", record.protocol));
        self.folder.join(name.unwrap_or_else(|| file_name(record)))
    }

    fn update(&self, record: &Record) -> Result<(), Failure> {
        let path = self.path(record);
        put(&path, report::snapshot(record).as_bytes())?;
        output::say(&format!("wrote {}", path.display()));
        Ok(())
    }

    fn differs(&self, record: &Record) -> Result<bool, Failure> {
        let path = self.path(record);
        let stored = std::fs::read_to_string(&path).map_err(|error| {
            Failure::usage(format!(
                "cannot read the snapshot {}: {error}\n  --snapshot update makes it",
                path.display()
            ))
        })?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(diff) = diff(&name, &stored, &report::snapshot(record)) else { return Ok(false) };
        let text = format!("\n{diff}\nthe outcome differs from {}; --snapshot update accepts it\n", path.display());
        if self.on_stdout {
            output::emit(&text)?
        } else {
            output::say(&text)
        }
        Ok(true)
    }
}
