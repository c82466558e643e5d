//! Folders of servers, and what is proposed in them.

use std::path::Path;

use super::text;

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    folder
}

/// The commands that are proposed, each with what comes first.
fn proposed(files: &[(&str, &str)]) -> Vec<String> {
    let text = text(folder(files).path()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let pairs = lines.windows(2).filter_map(|pair| Some((pair[0].split_once("mcp-conform run")?, pair[1])));
    pairs
        .filter(|((_, words), _)| !words.contains('`'))
        .map(|((within, words), source)| {
            let before = source.split_once("; first: ").map_or(String::new(), |(_, before)| format!(" after {before}"));
            format!("{} {}{before}", within.trim(), words.trim()).trim().to_owned()
        })
        .collect()
}

#[test]
fn a_node_package_is_started_by_its_programs() {
    let package = r#"{"name": "weather-mcp", "bin": {"weather": "./dist/index.js"}, "scripts": {"build": "tsc", "start": "node x.js"}}"#;
    assert_eq!(proposed(&[("package.json", package)]), ["-- node dist/index.js after npm run build"]);
    assert_eq!(proposed(&[("package.json", package), ("dist/index.js", "")]), ["-- node dist/index.js"]);
}

#[test]
fn a_node_package_without_programs_is_started_by_its_script_or_module() {
    let script = |start: &str| {
        proposed(&[("package.json", &format!(r#"{{"name": "mcp", "scripts": {{"start": "{start}"}}}}"#))])
    };
    assert_eq!(script("node server.js --stdio"), ["-- node server.js --stdio"]);
    assert_eq!(script("tsc && node server.js"), ["-- npm run --silent start"]);
    let main = r#"{"name": "mcp", "main": "server.ts"}"#;
    assert_eq!(proposed(&[("package.json", main), ("server.ts", "")]), ["-- npx tsx server.ts"]);
    let bare = [("package.json", r#"{"dependencies": {"@modelcontextprotocol/sdk": "1"}}"#), ("server.mjs", "")];
    assert_eq!(proposed(&bare), ["-- node server.mjs"]);
    assert_eq!(proposed(&bare[..1]), [""; 0]);
}

#[test]
fn a_python_project_is_started_as_it_is_run() {
    let project =
        "[project]\nname = \"weather\"\ndependencies = [\"mcp\"]\n[project.scripts]\nweather = \"weather:main\"\n";
    assert_eq!(proposed(&[("pyproject.toml", project)]), ["-- weather after pip install --editable ."]);
    assert_eq!(proposed(&[("pyproject.toml", project), (".venv/bin/weather", "")]), ["-- .venv/bin/weather"]);
    assert_eq!(proposed(&[("pyproject.toml", project), ("uv.lock", "")]), ["-- uv run weather"]);
    assert_eq!(proposed(&[("requirements.txt", "mcp==1.30.0\n"), ("server.py", "")]), ["-- python server.py"]);
}

#[test]
fn a_cargo_package_is_started_from_where_it_is_built() {
    let package = "[package]\nname = \"weather\"\n[dependencies]\nrmcp = \"3\"\n";
    let files = [("Cargo.toml", package), ("src/main.rs", "")];
    assert_eq!(proposed(&files), ["-- target/release/weather after cargo build --release"]);
    let built = [files[0], files[1], ("target/debug/weather", "")];
    assert_eq!(proposed(&built), ["-- target/debug/weather"]);
}

#[test]
fn settings_come_first_and_the_servers_of_clients_last() {
    let files = [
        ("mcp-conform.toml", "target = [\"node\", \"x.js\"]\n"),
        (".mcp.json", r#"{"mcpServers": {"my weather": {"command": "node"}}}"#),
        ("requirements.txt", "mcp\n"),
        ("server.py", ""),
    ];
    assert_eq!(proposed(&files), ["", "-- python server.py", "--from .mcp.json 'my weather'"]);
}

#[test]
fn other_projects_get_no_proposal() {
    for files in [
        &[("package.json", r#"{"name": "site", "bin": "cli.js"}"#)][..],
        &[("package.json", "{ mcp"), ("Cargo.toml", "mcp =")],
        &[("mcp-conform.toml", "timeout = 5\n")],
        &[],
    ] {
        assert_eq!(text(folder(files).path()), None, "{files:?}");
    }
}

#[test]
fn the_packages_of_a_workspace_are_started_in_their_folders() {
    let node = [
        ("package.json", r#"{"name": "@acme/mcp-servers", "workspaces": ["src/*"]}"#),
        ("src/git/package.json", r#"{"name": "mcp-git", "bin": "index.js"}"#),
        ("src/git/index.js", ""),
        ("src/web/package.json", r#"{"name": "mcp-web", "bin": "dist/index.js", "scripts": {"build": "tsc"}}"#),
        ("node_modules/other/package.json", r#"{"name": "mcp-other", "bin": "index.js"}"#),
    ];
    let (git, web) = ("cd src/git && -- node index.js", "cd src/web && -- node dist/index.js after npm run build");
    assert_eq!(proposed(&node), [git, web]);
    let cargo = [
        ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\n"),
        ("crates/weather/Cargo.toml", "[package]\nname = \"weather\"\n[dependencies]\nrmcp = \"3\"\n"),
        ("crates/weather/src/main.rs", ""),
        ("target/debug/weather", ""),
    ];
    assert_eq!(proposed(&cargo), ["cd crates/weather && -- ../../target/debug/weather"]);
    let python = [
        (".mcp.json", r#"{"mcpServers": {"docs": {"url": "https://example.com/mcp"}}}"#),
        ("uv.lock", ""),
        (
            "servers/my weather/pyproject.toml",
            "[project]\ndependencies = [\"mcp\"]\n[project.scripts]\nweather = \"w:main\"\n",
        ),
    ];
    assert_eq!(proposed(&python), ["cd 'servers/my weather' && -- uv run weather", "--from .mcp.json docs"]);
}
