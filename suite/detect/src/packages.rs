//! The packages that servers are built with, and where they come from.

use std::fmt;

/// Where packages are published.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Registry {
    /// npmjs.com.
    Npm,
    /// pypi.org.
    Pypi,
    /// crates.io.
    Crates,
    /// Modules of Go, by the path of their repository.
    Go,
}

impl Registry {
    /// As package URLs spell it (<https://github.com/package-url/purl-spec>).
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Npm => "npm",
            Self::Pypi => "pypi",
            Self::Crates => "cargo",
            Self::Go => "golang",
        }
    }
}

impl fmt::Display for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A package in a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Where it is published.
    pub registry: Registry,
    /// Its name there.
    pub name: String,
    /// The version that is installed; empty where that cannot be told.
    pub version: String,
}

/// A package that may answer clients: its name, and what it is built on if it is a framework.
pub(crate) type Known = (&'static str, Option<&'static str>);

/// Frameworks stand before what they are built on.
pub(crate) const NPM: [Known; 7] = [
    ("fastmcp", Some("@modelcontextprotocol/sdk")),
    ("mcp-framework", Some("@modelcontextprotocol/sdk")),
    ("mcp-handler", Some("@modelcontextprotocol/sdk")),
    ("@mastra/mcp", Some("@modelcontextprotocol/sdk")),
    ("xmcp", Some("@modelcontextprotocol/sdk")),
    ("@modelcontextprotocol/server", None),
    ("@modelcontextprotocol/sdk", None),
];
pub(crate) const PYPI: [Known; 3] = [("fastmcp", Some("mcp")), ("fastapi-mcp", Some("mcp")), ("mcp", None)];
pub(crate) const CRATES: [Known; 3] = [("rmcp", None), ("rust-mcp-sdk", None), ("pmcp", None)];
pub(crate) const GO: [Known; 2] =
    [("github.com/modelcontextprotocol/go-sdk", None), ("github.com/mark3labs/mcp-go", None)];

/// What code that uses an interface of a package mentions: the package, words of the high-level interface, words of the low-level one.
/// A server that uses the high-level one may use the other beside it.
const STYLES: [(Registry, &str, &[&str], &[&str]); 3] = [
    (
        Registry::Npm,
        "@modelcontextprotocol/sdk",
        &["@modelcontextprotocol/sdk/server/mcp"],
        &[
            "@modelcontextprotocol/sdk/server/index",
            "@modelcontextprotocol/sdk/server\"",
            "@modelcontextprotocol/sdk/server'",
        ],
    ),
    (Registry::Npm, "@modelcontextprotocol/server", &["McpServer"], &["@modelcontextprotocol/server"]),
    (Registry::Pypi, "mcp", &["FastMCP", "MCPServer"], &["mcp.server"]),
];

/// The interface of a package that some code uses, if that can be told.
pub(crate) fn style(package: &Package, code: &[String]) -> Option<&'static str> {
    let (.., high, low) =
        STYLES.iter().find(|(registry, name, ..)| (*registry, *name) == (package.registry, &package.name))?;
    let mentions = |words: &[&str]| code.iter().any(|text| words.iter().any(|word| text.contains(word)));
    match () {
        () if mentions(high) => Some("high"),
        () if mentions(low) => Some("low"),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interface_is_told_by_what_the_code_mentions() {
        let told = |registry: Registry, name: &str, code: &str| {
            let package = Package { registry, name: name.to_owned(), version: String::new() };
            style(&package, &[String::new(), code.to_owned()])
        };
        let node = |code: &str| told(Registry::Npm, "@modelcontextprotocol/sdk", code);
        assert_eq!(node("import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'"), Some("high"));
        assert_eq!(node("import { Server } from \"@modelcontextprotocol/sdk/server/index.js\""), Some("low"));
        assert_eq!(node("import './bundle.js'"), None);
        assert_eq!(told(Registry::Pypi, "mcp", "from mcp.server import Server"), Some("low"));
        assert_eq!(told(Registry::Pypi, "mcp", "from mcp.server.fastmcp import FastMCP"), Some("high"));
        assert_eq!(told(Registry::Pypi, "fastmcp", "from fastmcp import FastMCP"), None, "it has one interface");
    }
}
