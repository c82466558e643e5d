//! The server's name.

use serde_json::Value;
use wire::mcp::meta;

use super::finding;
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "practice/server",
    judges: &["practice.server-name.convention", "practice.server-name.lower-case", "practice.server-name.no-version"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    let Some(name) = name(view) else { return };
    let shown: String = name.chars().take(100).collect();
    let seen = || format!("name {shown:?}");
    collector.check(RULE.judges[0], is_conventional(&name), || {
        let message = "The server's name does not follow the naming pattern of its ecosystem.".to_owned();
        finding(message, "service_mcp (Python) or service-mcp-server", seen())
    });
    collector.check(RULE.judges[1], !name.contains(|letter: char| letter.is_uppercase() || letter == ' '), || {
        finding("The server's name has uppercase letters or spaces.".to_owned(), "lowercase", seen())
    });
    collector.check(RULE.judges[2], !has_version(&name), || {
        let message = "The server's name contains a version or a date, so it changes with every release.".to_owned();
        finding(message, "a name without a version, which belongs in serverInfo.version", seen())
    });
}

fn name(view: &View<'_>) -> Option<String> {
    let info = |result: &Value| {
        let own = result.get("serverInfo");
        let info = own.or_else(|| result.get("_meta")?.get(meta::SERVER_INFO))?;
        info.get("name")?.as_str().map(str::to_owned)
    };
    view.cases().find_map(|case| info(case.result()?))
}

fn is_conventional(name: &str) -> bool {
    let plain = |text: &str, separator: char| {
        !text.is_empty()
            && text.split(separator).all(|part| {
                !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            })
    };
    name.strip_suffix("_mcp").is_some_and(|service| plain(service, '_'))
        || name.strip_suffix("-mcp-server").is_some_and(|service| plain(service, '-'))
}

/// `v1`, `1.2` or a year; digits within a word belong to it.
fn has_version(name: &str) -> bool {
    let parts: Vec<&str> = name.split(|character: char| !character.is_alphanumeric()).collect();
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let long = parts.iter().any(|part| digits(part) && part.len() >= 4);
    let pair = parts.windows(2).any(|pair| digits(pair[0]) && digits(pair[1]));
    let v = parts.iter().any(|part| part.strip_prefix(['v', 'V']).is_some_and(digits));
    long || pair || v
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::{Revision, Status};

    use super::*;
    use crate::testing::Script;

    #[test]
    fn names_are_told_apart() {
        for good in ["slack_mcp", "web3-mcp-server", "my-s3-mcp-server"] {
            assert!(is_conventional(good) && !has_version(good), "{good}");
        }
        for bad in ["slack", "Slack_mcp", "-mcp-server"] {
            assert!(!is_conventional(bad), "{bad}");
        }
        for versioned in ["slack-v2", "slack 1.2", "slack-20250101"] {
            assert!(has_version(versioned), "{versioned}");
        }
    }

    #[test]
    fn the_name_is_in_the_handshake_or_in_meta() {
        let script = Script::new(Revision::V2025_11_25, json!({}));
        assert_eq!(script.status_of("practice.server-name.convention"), Status::Fail);
        assert_eq!(script.status_of("practice.server-name.lower-case"), Status::Pass);
        let meta = json!({"io.modelcontextprotocol/serverInfo": {"name": "My Server v2", "version": "1"}});
        let script = Script::empty(Revision::V2026_07_28).session(false, json!({}));
        assert_eq!(script.status_of("practice.server-name.no-version"), Status::Pass);
        let script = Script::new(Revision::V2025_11_25, json!({}));
        assert_eq!(
            script.plain("ping", json!({}), json!({"result": {"_meta": meta}})).status_of(RULE.judges[2]),
            Status::Pass
        );
    }
}
