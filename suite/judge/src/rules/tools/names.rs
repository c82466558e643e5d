//! Tool names: distinct, of the length and the characters that the page recommends, and told apart by case.

use verdict::Intent;

use super::came::{Came, came};
use super::lists::{self, Listed};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tools/names",
    judges: &[
        "tools.name.unique",
        "tools.name.length",
        "tools.name.charset",
        "tools.name.no-spaces-or-commas",
        "tools.name.case-sensitive",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for walk in lists::walks(view) {
        check_unique(&walk.entries(), collector);
    }
    for tool in lists::all(view).iter().filter(|tool| tool.definition["name"].is_string()) {
        check_length(tool, collector);
        check_characters(tool, collector);
    }
    for case in view.probes(Intent::CaseSwappedTool).filter(Case::is_decided) {
        case_sensitive(&case, collector);
    }
}

fn check_unique(tools: &[Listed<'_>], collector: &mut Collector) {
    let named = tools.iter().filter(|tool| tool.definition["name"].is_string());
    for (at, tool) in named.clone().enumerate() {
        // The same entry on two pages is a fault of pagination, reported there.
        let twin = |other: &&Listed<'_>| {
            other.name == tool.name && (other.page == tool.page || other.definition != tool.definition)
        };
        collector.check("tools.name.unique", !named.clone().take(at).any(|other| twin(&other)), || {
            let message = "Two tools have the same name, so a call cannot say which one it means.";
            tool.finding("/name", message, "a name that no other tool has", "the name of another tool")
        });
    }
}

fn check_length(tool: &Listed<'_>, collector: &mut Collector) {
    let count = tool.name.chars().count();
    collector.check("tools.name.length", (1..=128).contains(&count), || {
        let message = "A tool name is empty or longer than 128 characters, which clients may refuse or cut off.";
        tool.finding("/name", message, "1 to 128 characters", format!("{count} characters"))
    });
}

fn check_characters(tool: &Listed<'_>, collector: &mut Collector) {
    let fits = |letter: &char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-' | '.');
    let Some(odd) = tool.name.chars().find(|letter| !fits(letter)) else {
        if !tool.name.is_empty() {
            collector.witness("tools.name.charset");
            collector.witness("tools.name.no-spaces-or-commas");
        }
        return;
    };
    let remark = if odd == '/' { " (the slash was in a proposal, not in the specification)" } else { "" };
    let message = format!(
        "A tool name has a character other than letters, digits, `_`, `-` and `.`, so many clients and models cannot call it{remark}."
    );
    let actual = format!("{odd:?}");
    collector.fail("tools.name.charset", tool.finding("/name", message, "only A-Z a-z 0-9 _ - .", actual));
    let special = |letter: &char| {
        letter.is_whitespace() || letter.is_control() || (letter.is_ascii_punctuation() && *letter != '/')
    };
    let found = tool.name.chars().find(|letter| !fits(letter) && special(letter));
    collector.check("tools.name.no-spaces-or-commas", found.is_none(), || {
        let message = "A tool name has a space, a comma or another special character.";
        tool.finding("/name", message, "no such character", format!("{:?}", found.unwrap_or(odd)))
    });
}

fn case_sensitive(case: &Case<'_>, collector: &mut Collector) {
    const ID: &str = "tools.name.case-sensitive";
    match came(case) {
        Came::Error => collector.witness(ID),
        // The error of the tool itself, or of a server that wraps unknown names: not to be told apart for certain.
        Came::ToolError if says_unknown(case) => collector.witness(ID),
        Came::ToolError => collector.inconclusive(
            ID,
            "the call under the swapped name gave a tool error that does not say whether the tool ran",
        ),
        Came::Nothing => {}
        _ => {
            let message = "A tool runs under its name in different letter case, though names are case-sensitive: two tools whose names differ only in case cannot be told apart.";
            collector.fail(ID, case.finding(message, "the error for an unknown tool"));
        }
    }
}

fn says_unknown(case: &Case<'_>) -> bool {
    let text = case.result().map(ToString::to_string).unwrap_or_default().to_lowercase();
    ["unknown", "not found", "no such", "does not exist"].iter().any(|word| text.contains(word))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Intent, Revision, Status};

    use crate::testing::Script;

    fn listed(revision: Revision, names: &[&str]) -> Script {
        let tools: Vec<Value> = names
            .iter()
            .map(|name| json!({"name": name, "inputSchema": {"type": "object", "additionalProperties": false}}))
            .collect();
        Script::new(revision, json!({"tools": {}})).plain("tools/list", json!({}), json!({"result": {"tools": tools}}))
    }

    const V: Revision = Revision::V2025_11_25;

    #[test]
    fn ordinary_names_pass() {
        let long = "x".repeat(128);
        let script = listed(V, &["read_file", "admin.tools-list", "DATA_EXPORT_v2", &long]);
        for id in ["tools.name.unique", "tools.name.length", "tools.name.charset", "tools.name.no-spaces-or-commas"] {
            assert_eq!(script.status_of(id), Status::Pass, "{id}");
        }
    }

    #[test]
    fn each_rule_of_names_is_broken_alone() {
        assert_eq!(listed(V, &["a", "a"]).fails(), ["tools.name.unique"]);
        assert_eq!(listed(V, &[&"x".repeat(129)]).fails(), ["tools.name.length"]);
        assert_eq!(listed(V, &[""]).fails(), ["tools.name.length"]);
        assert_eq!(listed(V, &["fs/read"]).fails(), ["tools.name.charset"]);
        assert_eq!(listed(V, &["naïve"]).fails(), ["tools.name.charset"]);
        assert_eq!(listed(V, &["read file"]).fails(), ["tools.name.charset", "tools.name.no-spaces-or-commas"]);
        assert_eq!(listed(V, &["a,b"]).verdict("tools.name.no-spaces-or-commas").findings[0].actual, "','");
    }

    #[test]
    fn older_revisions_have_no_such_recommendation() {
        assert_eq!(listed(Revision::V2025_06_18, &["read file", &"x".repeat(200)]).fails(), [""; 0]);
    }

    #[test]
    fn the_same_entry_on_two_pages_is_not_reported_here() {
        let page = |next: Value| {
            let mut result =
                json!({"tools": [{"name": "a", "inputSchema": {"type": "object", "additionalProperties": false}}]});
            if next.is_string() {
                result["nextCursor"] = next;
            }
            json!({"result": result})
        };
        let script = Script::new(V, json!({"tools": {}})).plain("tools/list", json!({}), page(json!("2"))).plain(
            "tools/list",
            json!({"cursor": "2"}),
            page(Value::Null),
        );
        assert!(!script.fails().contains(&"tools.name.unique"));
    }

    fn swapped(answer: Value) -> Script {
        listed(V, &["echo"]).probe_about(
            Intent::CaseSwappedTool,
            json!({"tool": "echo"}),
            "tools/call",
            json!({"name": "ECHO", "arguments": {}}),
            answer,
        )
    }

    #[test]
    fn a_swapped_name_is_an_unknown_tool() {
        const ID: &str = "tools.name.case-sensitive";
        assert_eq!(swapped(json!({"error": {"code": -32602, "message": "Unknown tool"}})).status_of(ID), Status::Pass);
        let wrapped =
            json!({"result": {"content": [{"type": "text", "text": "Tool ECHO not found"}], "isError": true}});
        assert_eq!(swapped(wrapped).status_of(ID), Status::Pass);
        let vague = json!({"result": {"content": [{"type": "text", "text": "oops"}], "isError": true}});
        assert_eq!(swapped(vague).status_of(ID), Status::Inconclusive);
        assert_eq!(swapped(json!({"result": {"content": []}})).fails(), [ID]);
    }
}
