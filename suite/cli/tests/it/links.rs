//! Links and file names in the documentation and in comments lead somewhere: relative links of Markdown pages and their
//! anchors, paths from the root of the repository wherever they are written, and Markdown pages that a comment names.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Folders that paths from the root begin with.
const ROOTS: [&str; 11] = [
    "suite/",
    "docs/",
    "servers/",
    "packaging/",
    "corpus/",
    "fuzz/",
    "reports/",
    "schema/",
    "templates/",
    ".ci/",
    ".github/",
];
/// Folders that hold nothing of ours, or what programs have made.
const PASSED_OVER: [&str; 8] =
    ["target", ".git", "installed", "node_modules", "found", "snapshots", "artifacts", "locks"];
/// Paths that programs make, that users have in their own repositories, or that belong to the specification's repository.
const MADE: [&str; 9] = [
    ".github/workflows/mcp-conform.yml",
    "fuzz/artifacts",
    "report.md",
    "reports/.gitignore",
    "reports/fuzz",
    "reports/repeat",
    "reports/ID.REVISION.snap",
    "schema/REVISION/schema.ts",
    "servers/installed",
];
/// Files that people read.
const READ: [&str; 7] = ["md", "rs", "toml", "sh", "yml", "yaml", "py"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

/// Every file that people read, below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let entries = fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    let is_read = |path: &PathBuf| {
        path.extension().is_some_and(|extension| READ.iter().any(|known| extension == *known)) || name(path) == "run"
    };
    let mut all: Vec<PathBuf> = files.into_iter().filter(is_read).collect();
    let ours = folders.iter().filter(|path| !PASSED_OVER.contains(&name(path).as_str()));
    all.extend(ours.flat_map(|folder| self::files(folder)));
    all
}

fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "md")
}

/// Lines of a page that are prose, not an example.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut is_code = false;
    text.lines().filter(move |line| {
        is_code ^= line.trim_start().starts_with("```");
        !is_code
    })
}

/// Lines of a program or a data file that are comments.
fn comments(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let start = line.find("//").filter(|at| !line[..*at].ends_with(':')).or_else(|| line.find("# "))?;
        Some(&line[start..])
    })
}

/// Targets of `[text](target)`.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    line.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
}

/// Words that look like paths from the root.
fn paths(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "._-/<>*{}$".contains(letter);
    let words = line.split(move |letter: char| !is_part(letter)).map(|word| word.trim_end_matches(['.', '-']));
    words.filter(|word| ROOTS.iter().any(|root| word.starts_with(root)) && !word.contains(['<', '*', '{', '$']))
}

/// Markdown pages that a line names.
fn pages(line: &str) -> impl Iterator<Item = &str> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "._-/".contains(letter);
    let words = line.split(move |letter: char| !is_part(letter)).map(|word| word.trim_end_matches('.'));
    words.filter(|word| word.ends_with(".md") && word.len() > 3)
}

/// The anchors of a page's headings, as GitHub makes them.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings =
        prose(text).filter_map(|line| line.strip_prefix('#')).map(|rest| rest.trim_start_matches('#').trim());
    let kept = |letter: char| match letter {
        ' ' => Some('-'),
        '-' | '_' => Some(letter),
        letter => letter.is_alphanumeric().then(|| letter.to_ascii_lowercase()),
    };
    headings.map(|heading| heading.chars().filter_map(kept).collect()).collect()
}

fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(tidy.pop()),
            Component::CurDir => {}
            part => tidy.push(part),
        }
    }
    tidy
}

/// What is wrong with a link of a page.
fn broken(page: &Path, text: &str, target: &str) -> Option<String> {
    let (file, anchor) = target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
    let there = if file.is_empty() { page.to_owned() } else { tidy(&page.parent()?.join(file)) };
    if !there.exists() {
        return Some(format!("{target}: there is no such file"));
    }
    let anchor = anchor.filter(|_| is_page(&there))?;
    let other = if file.is_empty() { text.to_owned() } else { fs::read_to_string(&there).unwrap_or_default() };
    (!anchors(&other).contains(anchor)).then(|| format!("{target}: there is no such heading"))
}

fn faults(root: &Path, file: &Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    let lines: Vec<&str> = if is_page(file) { prose(&text).collect() } else { comments(&text).collect() };
    let mut faults = Vec::new();
    for line in lines {
        if is_page(file) {
            let own = targets(line).filter(|target| !target.contains("://") && !target.starts_with("mailto:"));
            faults.extend(own.filter_map(|target| broken(file, &text, target)));
        }
        let is_made = |path: &&str| MADE.iter().any(|made| path.starts_with(made));
        let missing = paths(line).filter(|path| !is_made(path) && !root.join(path).exists());
        faults.extend(missing.map(|path| format!("{path}: there is no such path")));
        // There is a README.md in many a folder: the one meant is that of the file's own.
        let ups = if line.contains("README.md in this folder") { 1 } else { usize::MAX };
        let near = |name: &str| {
            let folders = file.ancestors().skip(1).take_while(|folder| folder.starts_with(root)).take(ups);
            folders.flat_map(|folder| [folder.join(name), folder.join("docs").join(name)]).any(|path| path.exists())
        };
        let missing = pages(line).filter(|name| !line.contains("://") && !is_made(name) && !near(name));
        faults.extend(missing.map(|name| format!("{name}: there is no such page")));
    }
    let name = file.strip_prefix(root).unwrap_or(file).display().to_string();
    faults.into_iter().map(|fault| format!("{name}: {fault}")).collect()
}

#[test]
fn links_and_paths_lead_somewhere() {
    let root = root();
    let faults: BTreeSet<String> = files(&root).iter().flat_map(|file| faults(&root, file)).collect();
    let faults: Vec<String> = faults.into_iter().collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_broken_link_is_found() {
    let page = root().join("docs/architecture.md");
    let text = "# Words and more\n";
    assert_eq!(broken(&page, text, "#words-and-more"), None);
    assert_eq!(broken(&page, text, "../README.md"), None);
    assert!(broken(&page, text, "#other").is_some());
    assert!(broken(&page, text, "nowhere.md").is_some());
    assert_eq!(paths("see `suite/judge/src/lib.rs`.").collect::<Vec<_>>(), ["suite/judge/src/lib.rs"]);
}
