//! The text of a new GitHub workflow.

use run::Target;

/// Returns the workflow that tests the server on every push.
pub(super) fn text(target: &Target) -> String {
    let setup = match target {
        Target::Program { program, .. } => prepare(program),
        _ => "      # Start the server here, and wait until it answers.\n",
    };
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
{setup}      # Tests the server named in mcp-conform.toml.
      - uses: mcp-conform/mcp-conform@v0
        with:
          fail-on: must
          # baseline: known.toml    # create it with `mcp-conform run --baseline known.toml --update-baseline`
"
    )
}

/// Returns the usual setup steps for a program of this kind.
fn prepare(program: &str) -> &'static str {
    match program.rsplit(['/', '\\']).next().unwrap_or(program) {
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
