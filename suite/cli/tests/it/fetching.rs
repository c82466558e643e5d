//! `packaging/release/fetch`, which the action and the hook for pre-commit take their program with: released, or built.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

const VERSION: &str = "7.8.9";

/// A repository whose only commit is the release, and a checkout of it that is no repository, as GitHub unpacks actions.
struct Place {
    folder: TempDir,
    commit: String,
}

impl Place {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../packaging/release/fetch");
        for part in ["repository", "checkout/packaging/release", "bin"] {
            fs::create_dir_all(folder.path().join(part)).expect("a folder");
        }
        fs::copy(script, folder.path().join("checkout/packaging/release/fetch")).expect("a copy");
        fs::write(folder.path().join("checkout/Cargo.toml"), format!("[package]\nversion = \"{VERSION}\"\n"))
            .expect("a file");
        let mut place = Self { folder, commit: String::new() };
        place.git("init --quiet");
        place.git("-c user.name=n -c user.email=e commit --quiet --allow-empty --message release");
        place.git(&format!("-c user.name=n -c user.email=e tag --annotate --message release v{VERSION}"));
        place.commit = place.git("rev-parse HEAD");
        // Stands in for a build, which would take minutes.
        let cargo = "#!/bin/sh\nwhile [ \"$1\" != --root ]; do shift; done\nmkdir -p \"$2/bin\"\n\
                     printf '#!/bin/sh\\necho built\\n' > \"$2/bin/mcp-conform\"\nchmod +x \"$2/bin/mcp-conform\"\n";
        place.program("bin/cargo", cargo);
        place
    }

    fn path(&self, part: &str) -> PathBuf {
        self.folder.path().join(part)
    }

    fn git(&self, words: &str) -> String {
        let mut git = Command::new("git");
        git.args(words.split(' ')).current_dir(self.path("repository"));
        // Only this repository: no hooks and no signing of the user's.
        git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        String::from_utf8(good(&git.output().expect("git")).stdout.clone()).expect("text").trim().to_owned()
    }

    fn program(&self, part: &str, text: &str) {
        fs::write(self.path(part), text).expect("a file");
        fs::set_permissions(self.path(part), fs::Permissions::from_mode(0o755)).expect("a mode");
    }

    /// Adds an archive to the release, as dist packs and names it.
    fn release(&self, target: &str, program: &str) -> PathBuf {
        let (name, folder) = (format!("mcp-conform-{target}"), self.path("repository/releases/download/v7.8.9"));
        fs::create_dir_all(folder.join(&name)).expect("a folder");
        let inner = format!("repository/releases/download/v{VERSION}/{name}/mcp-conform");
        self.program(&inner, program);
        let archive = folder.join(format!("{name}.tar.xz"));
        let tar = Command::new("tar").arg("-cJf").arg(&archive).arg("-C").arg(&folder).arg(&name).output();
        good(&tar.expect("tar"));
        let sum = Command::new("sha256sum").arg(&archive).output().expect("sha256sum");
        fs::write(folder.join(format!("{name}.tar.xz.sha256")), &good(&sum).stdout).expect("a file");
        archive
    }

    fn fetch(&self, commit: &str) -> Output {
        let path = format!("{}:{}", self.path("bin").display(), std::env::var("PATH").expect("a PATH"));
        let mut fetch = Command::new(self.path("checkout/packaging/release/fetch"));
        fetch.arg(self.path("taken")).arg(commit).env("PATH", path);
        fetch.env("MCP_CONFORM_REPOSITORY", format!("file://{}", self.path("repository").display()));
        fetch.output().expect("bash")
    }

    /// What the program says that was taken.
    fn says(&self, commit: &str) -> String {
        let fetched = self.fetch(commit);
        let taken = String::from_utf8(good(&fetched).stdout.clone()).expect("text");
        assert_eq!(Path::new(taken.trim()).canonicalize().ok(), self.path("taken/mcp-conform").canonicalize().ok());
        let said = Command::new(taken.trim()).output().expect("the program");
        String::from_utf8(good(&said).stdout.clone()).expect("text").trim().to_owned()
    }
}

fn good(output: &Output) -> &Output {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output
}

/// The targets of this machine, best first.
fn targets() -> Vec<String> {
    let processor = std::env::consts::ARCH;
    match std::env::consts::OS {
        "macos" => vec![format!("{processor}-apple-darwin")],
        _ => ["gnu", "musl"].map(|libc| format!("{processor}-unknown-linux-{libc}")).to_vec(),
    }
}

#[test]
fn the_commit_of_a_release_gets_the_released_program() {
    let place = Place::new();
    let other = "0123456789012345678901234567890123456789";
    assert_eq!(place.says(&place.commit), "built", "there is nothing to take yet");
    place.release(&targets()[0], "#!/bin/sh\necho released\n");
    assert_eq!(place.says(&place.commit), "released");
    assert_eq!(place.says(&format!("v{VERSION}")), "released", "the tag itself");
    place.git("tag v7 HEAD");
    assert_eq!(place.says("v7"), "released", "a tag that moves, on the same commit");
    assert_eq!(place.says(other), "built", "another commit is not what was released");
    assert_eq!(place.says("no-such-branch"), "built");
}

#[test]
fn a_program_with_another_checksum_is_not_taken() {
    let place = Place::new();
    let archive = place.release(&targets()[0], "#!/bin/sh\necho released\n");
    fs::write(archive.with_extension("xz.sha256"), format!("{} *x\n", "0".repeat(64))).expect("a file");
    let fetched = place.fetch(&place.commit);
    assert_eq!(fetched.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&fetched.stderr).contains("the release states 0000"), "{fetched:?}");
    assert!(!place.path("taken/mcp-conform").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn a_program_that_does_not_start_here_gives_way_to_the_static_one() {
    let (place, targets) = (Place::new(), targets());
    place.release(&targets[0], "#!/no/such/loader\n");
    place.release(&targets[1], "#!/bin/sh\necho static\n");
    assert_eq!(place.says(&place.commit), "static");
}
