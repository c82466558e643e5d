//! The text of a new GitHub workflow.

use std::path::Path;

use run::Target;

/// How a project gets the program: from the registry that its own dependencies come from, else by the action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Npm,
    Pypi,
    Action,
}

impl Source {
    /// By what describes the project; of a folder with both, the server's own program decides.
    fn of(folder: &Path, program: &str) -> Self {
        let has = |name: &str| folder.join(name).is_file();
        match (has("package.json"), has("pyproject.toml")) {
            (true, true) if is_python(program) => Self::Pypi,
            (true, _) => Self::Npm,
            (false, true) => Self::Pypi,
            (false, false) => Self::Action,
        }
    }

    /// The steps that test the server and show what was found, after those that set it up.
    fn steps(self, setup: &str) -> String {
        let version = concat!(env!("CARGO_PKG_VERSION_MAJOR"), ".", env!("CARGO_PKG_VERSION_MINOR"));
        match self {
            Self::Npm => by_command(&format!("npx --yes mcp-conform@{version}")),
            Self::Pypi => {
                let uv = if setup.contains(UV) { "" } else { UV };
                format!("{uv}{}", by_command(&format!("uvx --from 'mcp-conform-rs=={version}.*' mcp-conform")))
            }
            Self::Action => BY_ACTION.to_owned(),
        }
    }
}

const UV: &str = "      - uses: astral-sh/setup-uv@v6\n";

const BY_ACTION: &str = "      # Tests the server named in mcp-conform.toml.
      - uses: mcp-conform/mcp-conform@v0
        with:
          fail-on: must
          # baseline: known.toml    # create it with `mcp-conform run --baseline known.toml --update-baseline`
";

fn by_command(command: &str) -> String {
    format!(
        "      # Tests the server named in mcp-conform.toml, and annotates the findings.
      # With findings that you accept for now: --baseline known.toml, created by --update-baseline.
      - run: {command} run --fail-on must
      - if: always()
        run: \"[ ! -f reports/report.md ] || cat reports/report.md >> $GITHUB_STEP_SUMMARY\"
      - if: always()
        uses: github/codeql-action/upload-sarif@v3
        with: {{ sarif_file: reports/report.sarif, category: mcp-conform }}
"
    )
}

/// Returns the workflow that tests the server of the project in `folder` on every push.
pub(super) fn text(target: &Target, folder: &Path) -> String {
    let (program, setup) = match target {
        Target::Program { program, .. } => (name(program), setup_steps(name(program))),
        _ => ("", "      # Start the server here, and wait until it answers.\n"),
    };
    let steps = Source::of(folder, program).steps(setup);
    format!(
        "name: mcp-conform
on: [push, pull_request]

permissions:
  contents: read
  # For code-scanning alerts.
  security-events: write

jobs:
  conformance:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@v4
{setup}{steps}"
    )
}

/// The name of a program without its folder.
fn name(program: &str) -> &str {
    program.rsplit(['/', '\\']).next().unwrap_or(program)
}

fn is_python(program: &str) -> bool {
    program.starts_with("python") || matches!(program, "uv" | "uvx")
}

/// Returns the usual setup steps for a program of this kind.
fn setup_steps(program: &str) -> &'static str {
    match program {
        "node" | "npx" | "npm" | "tsx" | "bun" | "deno" => {
            "      - uses: actions/setup-node@v4\n        with: { node-version: lts/* }\n      - run: npm ci\n      - run: npm run build --if-present\n"
        }
        "uv" | "uvx" => "      - uses: astral-sh/setup-uv@v6\n      - run: uv sync\n",
        "python" | "python3" => {
            "      - uses: actions/setup-python@v5\n        with: { python-version: '3.13' }\n      - run: pip install .\n"
        }
        "go" => "      - uses: actions/setup-go@v5\n        with: { go-version: stable }\n",
        "cargo" => "      - run: cargo build --release\n",
        "docker" => "      - run: docker build .\n",
        _ => "      # Build the server here.\n",
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use run::Target;

    fn written(files: &[&str], words: &[&str]) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        files.iter().for_each(|file| fs::write(folder.path().join(file), "").expect("a file"));
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        super::text(&Target::parse(None, &words).expect("a program"), folder.path())
    }

    #[test]
    fn a_node_project_tests_with_npx() {
        let text = written(&["package.json"], &["node", "server.js"]);
        let version = env!("CARGO_PKG_VERSION").rsplit_once('.').expect("a version").0;
        assert!(text.contains(&format!("- run: npx --yes mcp-conform@{version} run --fail-on must\n")), "{text}");
        assert!(text.contains("setup-node") && !text.contains("setup-uv"), "{text}");
    }

    #[test]
    fn a_python_project_tests_with_uvx() {
        let by_python = written(&["pyproject.toml"], &["/usr/bin/python3", "-m", "weather"]);
        let by_uv = written(&["pyproject.toml", "package.json"], &["uv", "run", "weather"]);
        for text in [by_python, by_uv] {
            assert!(text.contains("- run: uvx --from 'mcp-conform-rs=="), "{text}");
            assert_eq!(text.matches("setup-uv").count(), 1, "{text}");
        }
    }

    #[test]
    fn another_project_tests_with_the_action() {
        let text = written(&["Cargo.toml"], &["cargo", "run"]);
        assert!(text.contains("uses: mcp-conform/mcp-conform@v0\n"), "{text}");
        assert!(!text.contains("npx") && !text.contains("uvx"), "{text}");
    }
}
