//! Requests for sampling use only what the client declared, and pair every use of a tool with its result. Passive.

use serde_json::Value;

use crate::rules::asks::{Ask, asks};
use crate::{Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "sampling/request",
    judges: &[
        "sampling.request.tools-declared",
        "mrtr.sampling-tools-declared",
        "sampling.request.include-context",
        "mrtr.sampling-include-context",
        "sampling.request.tool-results-only",
        "sampling.request.tool-uses-answered",
    ],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for ask in asks(view).iter().filter(|ask| ask.method == "sampling/createMessage") {
        check_tools(ask, collector);
        check_context(ask, collector);
        check_messages(ask, collector);
    }
}

fn check_tools(ask: &Ask<'_>, collector: &mut Collector) {
    if ask.has("sampling.tools") {
        return;
    }
    let uses = ["tools", "toolChoice"].iter().any(|member| ask.params.get(member).is_some());
    for id in ["sampling.request.tools-declared", "mrtr.sampling-tools-declared"] {
        collector.check(id, !uses, || {
            let message = "A sampling request offers tools to a client that did not declare sampling.tools.";
            ask.finding(message, "neither tools nor toolChoice", "tools or toolChoice")
        });
    }
}

fn check_context(ask: &Ask<'_>, collector: &mut Collector) {
    if ask.has("sampling.context") {
        return;
    }
    let wanted = ask.params.get("includeContext").and_then(Value::as_str);
    let uses = matches!(wanted, Some("thisServer" | "allServers"));
    for id in ["sampling.request.include-context", "mrtr.sampling-include-context"] {
        collector.check(id, !uses, || {
            let message = "A sampling request asks for context from a client that did not declare sampling.context.";
            ask.finding(message, "includeContext none, or no includeContext", "includeContext thisServer or allServers")
        });
    }
}

fn check_messages(ask: &Ask<'_>, collector: &mut Collector) {
    let messages = ask.params.get("messages").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    for (at, message) in messages.iter().enumerate() {
        let (results, uses) = (of(message, "tool_result"), of(message, "tool_use"));
        if !results.is_empty() {
            collector.check("sampling.request.tool-results-only", results.len() == blocks(message).len(), || {
                let message = "A message with a tool result also contains something else, which models reject.";
                ask.finding(message, "only tool_result blocks", "blocks of other types among them")
            });
        }
        if !uses.is_empty() {
            let next = messages.get(at + 1).map(|next| of(next, "tool_result")).unwrap_or_default();
            let answered = |id: &Value| next.iter().any(|result| result.get("toolUseId") == Some(id));
            let all = uses.iter().all(|used| used.get("id").is_none_or(answered));
            collector.check("sampling.request.tool-uses-answered", all, || {
                let message = "A message with a tool use is not followed by its result, which models reject.";
                ask.finding(
                    message,
                    "a tool_result for every tool_use in the message after it",
                    "a tool_use without its result",
                )
            });
        }
    }
}

/// The blocks of a message: one, or an array.
fn blocks(message: &Value) -> Vec<&Value> {
    match message.get("content") {
        Some(Value::Array(blocks)) => blocks.iter().collect(),
        Some(block) => vec![block],
        None => Vec::new(),
    }
}

fn of<'v>(message: &'v Value, kind: &str) -> Vec<&'v Value> {
    blocks(message).into_iter().filter(|block| block.get("type").and_then(Value::as_str) == Some(kind)).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use crate::testing::Script;

    fn ask(extra: &Value) -> Script {
        let mut params =
            json!({"messages": [{"role": "user", "content": {"type": "text", "text": "hi"}}], "maxTokens": 9});
        for (name, value) in extra.as_object().into_iter().flatten() {
            params[name] = value.clone();
        }
        let request = json!({"jsonrpc": "2.0", "id": "s1", "method": "sampling/createMessage", "params": params});
        Script::new(Revision::V2025_11_25, json!({})).says_json(&request)
    }

    #[test]
    fn only_what_was_declared_is_used() {
        let plain = ask(&json!({}));
        let (tools, context) = ("sampling.request.tools-declared", "sampling.request.include-context");
        assert_eq!((plain.status_of(tools), plain.status_of(context)), (Status::Pass, Status::Pass));
        assert_eq!(ask(&json!({"tools": []})).fails_in("sampling"), [tools]);
        assert_eq!(ask(&json!({"includeContext": "allServers"})).fails_in("sampling"), [context]);
        assert_eq!(ask(&json!({"includeContext": "none"})).status_of(context), Status::Pass);
    }

    #[test]
    fn the_use_of_a_tool_is_followed_by_its_result_alone() {
        let used = json!({"role": "assistant", "content": [{"type": "tool_use", "id": "u", "name": "t", "input": {}}]});
        let result = json!({"type": "tool_result", "toolUseId": "u", "content": []});
        let conversation = |last: Value| ask(&json!({"messages": [used.clone(), {"role": "user", "content": last}]}));
        let good = conversation(json!([result.clone()]));
        assert_eq!(good.status_of("sampling.request.tool-uses-answered"), Status::Pass);
        let mixed = conversation(json!([result, {"type": "text", "text": "and"}]));
        assert_eq!(mixed.fails_in("sampling"), ["sampling.request.tool-results-only"]);
        let none = conversation(json!([{"type": "text", "text": "and"}]));
        assert_eq!(none.fails_in("sampling"), ["sampling.request.tool-uses-answered"]);
    }
}
