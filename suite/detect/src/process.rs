//! What is known of a process: its command line, its folder, and the files that it has mapped into memory.

use std::path::PathBuf;

/// A process of the server.
#[derive(Clone, Debug, Default)]
pub struct Process {
    /// The command line.
    pub words: Vec<String>,
    /// The working directory.
    pub folder: PathBuf,
    /// The file that is executed.
    pub program: PathBuf,
    /// Libraries that it has loaded.
    pub mapped: Vec<PathBuf>,
    /// What it reads as its standard input, if that is known.
    pub input: Option<PathBuf>,
}

/// What runs the code of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runtime {
    Node,
    Python,
    /// The program itself.
    Own,
}

impl Process {
    /// What Linux tells of a process; none if it is gone, or elsewhere.
    #[must_use]
    pub fn of(id: u32) -> Option<Self> {
        let at = |name: &str| format!("/proc/{id}/{name}");
        let words = std::fs::read(at("cmdline")).ok()?;
        let words = words.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
        Some(Self {
            words: words.filter(|word| !word.is_empty()).collect(),
            folder: std::fs::read_link(at("cwd")).ok()?,
            program: std::fs::read_link(at("exe")).ok()?,
            mapped: std::fs::read_to_string(at("maps")).map(|maps| mapped(&maps)).unwrap_or_default(),
            input: std::fs::read_link(at("fd/0")).ok(),
        })
    }

    /// The processes of this machine that listen on a port.
    #[must_use]
    pub fn listening(port: u16) -> Vec<Self> {
        crate::listening::on(port).into_iter().filter_map(Self::of).collect()
    }

    /// What is known of a process before it is started, by its command line and folder: for systems that tell nothing of it.
    #[must_use]
    pub fn to_be_started(words: Vec<String>, folder: PathBuf) -> Self {
        let named = PathBuf::from(words.first().map(String::as_str).unwrap_or_default());
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let found = std::env::split_paths(&paths).map(|path| path.join(&named)).find(|path| path.is_file());
        let program = if named.components().count() > 1 { folder.join(&named) } else { found.unwrap_or(named) };
        Self { words, folder, program, ..Self::default() }
    }

    /// What runs its code, by the name of the program.
    pub(crate) fn runtime(&self) -> Runtime {
        let name = self.program.file_stem().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
        let is = |names: &[&str]| names.iter().any(|prefix| name.starts_with(prefix));
        match () {
            () if is(&["node", "bun", "deno"]) => Runtime::Node,
            () if is(&["python", "pypy"]) => Runtime::Python,
            () => Runtime::Own,
        }
    }

    /// The files that its command line names, links followed.
    pub(crate) fn named_files(&self) -> impl Iterator<Item = PathBuf> {
        let paths =
            self.words.iter().skip(1).map(|word| self.folder.join(word.strip_prefix("file://").unwrap_or(word)));
        paths.filter(|path| path.is_file()).filter_map(|path| path.canonicalize().ok())
    }
}

/// The files of a `/proc/PID/maps`, each once.
fn mapped(maps: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        maps.lines().filter_map(|line| Some(PathBuf::from(&line[line.find('/')?..]))).collect();
    files.dedup();
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mapped_files_are_named_once() {
        let maps = "7f00-7f01 r-xp 00000000 08:01 1    /lib/a b.so\n7f01-7f02 r--p 00001000 08:01 1    /lib/a b.so\n7f03-7f04 rw-p 0 00:00 0\n";
        assert_eq!(mapped(maps), [PathBuf::from("/lib/a b.so")]);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn this_process_is_a_program_of_its_own() {
        let own = Process::of(std::process::id()).expect("it runs");
        assert_eq!(own.runtime(), Runtime::Own);
        assert_eq!(own.program, std::env::current_exe().expect("a path"));
        assert!(own.mapped.contains(&own.program), "{:?}", own.mapped);
    }

    #[test]
    fn a_program_is_known_by_its_name() {
        let runtime = |program: &str| Process { program: program.into(), ..Process::default() }.runtime();
        assert_eq!(runtime("/usr/bin/node"), Runtime::Node);
        assert_eq!(runtime("/usr/bin/python3.12"), Runtime::Python);
        assert_eq!(runtime("/home/a/bin/my-server"), Runtime::Own);
    }
}
