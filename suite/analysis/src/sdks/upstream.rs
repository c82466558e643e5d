//! Where the people who make an SDK speak of what it breaks: `upstream.toml`, threads that somebody has read.

use std::sync::LazyLock;

use serde::Deserialize;
use verdict::record::Cause;

/// A thread about what an SDK breaks. Its title and what it says stand in the table for those who review it.
#[derive(Debug, Deserialize)]
pub(super) struct Issue {
    /// The package, as `REGISTRY:NAME`.
    package: String,
    /// The requirements that it is about.
    requirements: Vec<String>,
    /// Where it is.
    pub(super) url: String,
    /// What an author can do meanwhile.
    pub(super) workaround: Option<String>,
}

#[derive(Deserialize)]
struct Table {
    issue: Vec<Issue>,
}

/// Every thread, in the order of the table: the one that says most of a requirement first.
static ISSUES: LazyLock<Vec<Issue>> = LazyLock::new(|| {
    // What is compiled in can be read, as a test shows.
    toml::from_str::<Table>(include_str!("../../upstream.toml")).map(|table| table.issue).unwrap_or_default()
});

/// Returns the thread about most of what a cause breaks in this package.
pub(super) fn upstream(registry: &str, name: &str, cause: &Cause) -> Option<&'static Issue> {
    let about = |issue: &&Issue| issue.requirements.iter().filter(|id| cause.requirements.contains(id)).count();
    let package = format!("{registry}:{name}");
    let known: Vec<&Issue> = ISSUES.iter().filter(|issue| issue.package == package).collect();
    let most = known.iter().map(about).max().filter(|count| *count > 0)?;
    known.into_iter().find(|issue| about(issue) == most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::cause;

    #[test]
    fn every_thread_is_about_requirements_that_there_are() {
        assert!(!ISSUES.is_empty());
        for issue in ISSUES.iter() {
            let unknown: Vec<_> = issue.requirements.iter().filter(|id| verdict::requirement(id).is_none()).collect();
            assert!(unknown.is_empty() && issue.url.starts_with("https://github.com/"), "{}: {unknown:?}", issue.url);
        }
    }

    #[test]
    fn the_thread_about_most_of_a_cause_is_named() {
        let url = |ids: &[&str]| {
            upstream("npm", "@modelcontextprotocol/sdk", &cause(ids))
                .map(|issue| issue.url.rsplit('/').next().unwrap_or(""))
        };
        assert_eq!(url(&["tools.call.unknown-tool"]), Some("1510"));
        let several =
            ["jsonrpc.response.every-request-answered", "tools.call.missing-name", "tools.call.missing-params"];
        assert_eq!(url(&several), Some("2284"));
        assert_eq!(url(&["ping.answered"]), None);
    }
}
