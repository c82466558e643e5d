//! Where a repository names the SDK of its server: the line of a manifest, to which services attach what is the SDK's.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use report::Place;
use verdict::record::{Report, Sdk};

/// Limit of bytes read of a manifest.
const MOST: u64 = 1 << 20;

/// Returns the line that names the SDK of the server, or what the SDK is built on, in a manifest of this folder.
pub(crate) fn named_in(folder: &Path, report: &Report) -> Option<Place> {
    let sdk = report.records().iter().find_map(|record| record.sdk.as_ref())?;
    let names = std::iter::once(sdk.name.as_str()).chain(sdk.on.as_ref().map(|on| on.name.as_str()));
    let texts: Vec<(&str, String)> =
        manifests(sdk).iter().filter_map(|file| Some((*file, read(&folder.join(file))?))).collect();
    names.into_iter().find_map(|name| texts.iter().find_map(|(file, text)| place(sdk, name, file, text)))
}

/// The files that name the dependencies of a package, as its registry has them.
fn manifests(sdk: &Sdk) -> &'static [&'static str] {
    match sdk.registry.as_str() {
        "npm" => &["package.json"],
        "pypi" => &["pyproject.toml", "requirements.txt", "setup.py", "setup.cfg"],
        "cargo" => &["Cargo.toml"],
        "golang" => &["go.mod"],
        _ => &[],
    }
}

fn read(path: &Path) -> Option<String> {
    // A pipe would never end.
    let file = path.is_file().then(|| File::open(path).ok())??;
    let mut text = String::new();
    file.take(MOST).read_to_string(&mut text).ok()?;
    Some(text)
}

fn place(sdk: &Sdk, name: &str, file: &str, text: &str) -> Option<Place> {
    let line = text.lines().position(|line| names(&sdk.registry, name, line))? + 1;
    Some(Place { file: file.to_owned(), line })
}

/// Whether a line makes the package a dependency.
fn names(registry: &str, name: &str, line: &str) -> bool {
    let starts: fn(char) -> bool = match registry {
        "npm" => |before| before == '"',
        "pypi" => |before| "\"' \t".contains(before),
        "cargo" => |before| ". \t".contains(before),
        _ => char::is_whitespace,
    };
    line.match_indices(name).any(|(at, _)| {
        let (before, after) = (line[..at].chars().next_back(), line[at + name.len()..].trim_start());
        let begins = before.is_none_or(starts);
        begins
            && match registry {
                "npm" => after.starts_with('"') && after[1..].trim_start().starts_with(':'),
                // A requirement ends, or goes on with extras, a comparison, a marker or a URL (PEP 508).
                "pypi" => {
                    after.is_empty() || after.starts_with(['[', '<', '>', '=', '~', '!', ';', ',', '@', '"', '\''])
                }
                "cargo" => after.starts_with(['=', '.', ']']),
                _ => after.starts_with('v'),
            }
    })
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_dependency_is_told_from_what_only_mentions_the_package() {
        let sdk = "@modelcontextprotocol/sdk";
        assert!(names("npm", sdk, "    \"@modelcontextprotocol/sdk\": \"^1.30.0\","));
        assert!(!names("npm", sdk, "  \"keywords\": [\"@modelcontextprotocol/sdk\"],"));
        assert!(!names("npm", "fastmcp", "  \"name\": \"my-fastmcp\","));
        for line in ["    \"mcp>=1.2\",", "dependencies = [\"httpx\", \"mcp[cli]\"]", "mcp", "mcp ~= 1.9", "  'mcp',"] {
            assert!(names("pypi", "mcp", line), "{line}");
        }
        for line in ["name = \"my-mcp\"", "description = \"An mcp server\"", "\"fastmcp>=2\"", "mcp-server-git==1"] {
            assert!(!names("pypi", "mcp", line), "{line}");
        }
        assert!(names("cargo", "rmcp", "rmcp = { version = \"3\" }") && names("cargo", "rmcp", "[dependencies.rmcp]"));
        assert!(!names("cargo", "rmcp", "rmcp-macros = \"3\""));
        let go = "github.com/modelcontextprotocol/go-sdk";
        assert!(names("golang", go, "\tgithub.com/modelcontextprotocol/go-sdk v1.2.0"));
        assert!(!names("golang", go, "replace github.com/modelcontextprotocol/go-sdk => ../go-sdk"));
    }
}
