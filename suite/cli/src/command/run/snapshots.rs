//! `--snapshot`: compares the run with committed snapshots, or updates them.

use std::path::{Path, PathBuf};

use report::snapshot::{difference, file_name};
use verdict::record::{Record, Report};

use super::flags::SnapshotArg;
use crate::failure::Failure;
use crate::files::write_atomic;
use crate::output;

/// The snapshots of a run, and the action for them.
pub(super) struct Snapshots {
    action: Option<SnapshotArg>,
    folder: PathBuf,
    name: Option<String>,
    /// Whether `--only` or `--skip` leaves something out.
    narrowed: bool,
    on_stdout: bool,
}

impl Snapshots {
    pub(super) fn new(
        action: Option<SnapshotArg>,
        folder: &Path,
        name: Option<&str>,
        narrowed: bool,
        on_stdout: bool,
    ) -> Result<Self, Failure> {
        if narrowed && action == Some(SnapshotArg::Update) {
            return Err(Failure::usage(
                "--snapshot update needs a whole run: with --only or --skip, the snapshot would lack what is left out",
            ));
        }
        if let Some(name) = name.filter(|name| name.is_empty() || name.contains(['/', '\\'])) {
            return Err(Failure::usage(format!(
                "--snapshot-name {name}: expected a name without folders; use --reports DIR to choose the folder"
            )));
        }
        Ok(Self { action, folder: folder.to_owned(), name: name.map(str::to_owned), narrowed, on_stdout })
    }

    /// Compares or updates the snapshot of each record. Returns whether one differs.
    pub(super) fn check_or_update(&self, report: &Report) -> Result<bool, Failure> {
        let mut changed = false;
        for record in report.records() {
            match self.action {
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
        write_atomic(&path, report::snapshot(record).as_bytes())?;
        output::eprint(&format!("wrote {}", path.display()));
        Ok(())
    }

    fn differs(&self, record: &Record) -> Result<bool, Failure> {
        let path = self.path(record);
        let stored = std::fs::read_to_string(&path).map_err(|error| {
            Failure::usage(format!(
                "cannot read snapshot {}: {error}\n  use --snapshot update to create it",
                path.display()
            ))
        })?;
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let Some(diff) = difference(&name, &stored, record, self.narrowed) else { return Ok(false) };
        let text =
            format!("\n{diff}\nthe outcome differs from {}; use --snapshot update to accept it\n", path.display());
        if self.on_stdout {
            output::print(&text)?
        } else {
            output::eprint(&text)
        }
        Ok(true)
    }
}
