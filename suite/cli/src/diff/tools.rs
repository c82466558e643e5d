//! Compares the tools of two reports: added, removed, changed, and whether clients of the old ones can use the new ones.

use schema::{Dialect, Flaw};
use serde::Serialize;
use serde_json::{Value, json};

use super::narrowing::{Narrowing, find_narrowing};

/// The differences between the tools.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Tools {
    /// Names of added tools.
    pub(crate) added: Vec<String>,
    /// Names of removed tools; each breaks its callers.
    pub(crate) removed: Vec<String>,
    /// Tools that changed.
    pub(crate) changed: Vec<Changed>,
}

/// A tool that changed.
#[derive(Debug, Default, PartialEq, Serialize)]
pub(crate) struct Changed {
    /// Its name.
    pub(crate) tool: String,
    /// Changes that break clients.
    pub(crate) breaking: Vec<Breaking>,
    /// Members that could not be compared, with the reason.
    pub(crate) undecided: Vec<String>,
    /// Members that changed without breaking clients.
    pub(crate) compatible: Vec<String>,
}

/// A change that breaks clients.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Breaking {
    /// `inputSchema`, `outputSchema`, `execution`.
    pub(crate) member: String,
    /// The consequence for a client.
    pub(crate) message: String,
    /// Arguments that are newly rejected, or an output that is newly allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) instance: Option<Value>,
}

/// Compares the tools; schemas without `$schema` have the given dialect.
pub(crate) fn tools(old: &[Value], new: &[Value], dialect: Dialect) -> Tools {
    let name = |tool: &Value| tool.get("name").and_then(Value::as_str).map(str::to_owned);
    let named = |tools: &[Value]| tools.iter().filter_map(name).collect::<Vec<_>>();
    let (before, now) = (named(old), named(new));
    let missing = |names: &[String], in_: &[String]| names.iter().filter(|name| !in_.contains(name)).cloned().collect();
    let mut found = Tools { added: missing(&now, &before), removed: missing(&before, &now), changed: vec![] };
    for was in old {
        let Some(own) = name(was) else { continue };
        let is = new.iter().find(|tool| name(tool).as_ref() == Some(&own));
        found.changed.extend(is.and_then(|is| changed(own, was, is, dialect)));
    }
    found
}

impl Tools {
    /// Returns the number of changes that break clients.
    pub(crate) fn breaking(&self) -> usize {
        self.removed.len() + self.changed.iter().map(|changed| changed.breaking.len()).sum::<usize>()
    }

    /// Returns whether nothing differs.
    pub(crate) fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty() && self.changed.is_empty()
    }
}

fn changed(tool: String, was: &Value, is: &Value, dialect: Dialect) -> Option<Changed> {
    let names = |value: &Value| value.as_object().into_iter().flat_map(|members| members.keys().cloned()).collect();
    let mut members: Vec<String> = names(was);
    let more: Vec<String> = names(is);
    members.extend(more.into_iter().filter(|name| was.get(name).is_none()));
    members.retain(|name| was.get(name) != is.get(name));
    if members.is_empty() {
        return None;
    }
    let mut changed = Changed { tool, ..Changed::default() };
    for member in members {
        let compared = match member.as_str() {
            "inputSchema" => input(was, is, dialect),
            "outputSchema" => output(was.get(&member), is.get(&member), dialect),
            "execution" => Ok(execution(was, is)),
            _ => Ok(None),
        };
        match compared {
            Ok(Some(breaking)) => changed.breaking.push(breaking),
            Ok(None) => changed.compatible.push(member),
            Err(reason) => changed.undecided.push(format!("{member}: {reason}")),
        }
    }
    Some(changed)
}

type Compared = Result<Option<Breaking>, String>;

/// Checks that arguments accepted before are still accepted.
fn input(was: &Value, is: &Value, dialect: Dialect) -> Compared {
    let any = json!({"type": "object"});
    let schema = |tool: &Value| tool.get("inputSchema").unwrap_or(&any).clone();
    match find_narrowing(&schema(was), &schema(is), dialect) {
        Narrowing::Takes => Ok(None),
        Narrowing::Unknown(reason) => Err(reason),
        Narrowing::Refuses(instance, flaw) => {
            let message = format!("previously accepted arguments are now rejected: {}", flaw_text(&flaw));
            Ok(Some(Breaking { member: "inputSchema".to_owned(), message, instance: Some(instance) }))
        }
    }
}

/// Checks that outputs allowed now were allowed before.
fn output(was: Option<&Value>, is: Option<&Value>, dialect: Dialect) -> Compared {
    let Some(was) = was else { return Ok(None) };
    let breaking = |message: String, instance| Some(Breaking { member: "outputSchema".to_owned(), message, instance });
    let Some(is) = is else {
        let message = "it is gone: nobody can rely on structuredContent any more".to_owned();
        return Ok(breaking(message, None));
    };
    // Turned round: the new schema makes, the old one refuses.
    match find_narrowing(is, was, dialect) {
        Narrowing::Takes => Ok(None),
        Narrowing::Unknown(reason) => {
            Err(reason.replace("the old", "the NEW").replace("the new", "the old").replace("NEW", "new"))
        }
        Narrowing::Refuses(instance, flaw) => {
            let message =
                format!("structuredContent may now have values that the old schema forbids: {}", flaw_text(&flaw));
            Ok(breaking(message, Some(instance)))
        }
    }
}

/// Checks that ways of calling allowed before are still allowed.
fn execution(was: &Value, is: &Value) -> Option<Breaking> {
    let support = |tool: &Value| {
        let named = tool.pointer("/execution/taskSupport").and_then(Value::as_str);
        match named {
            Some("required") => (false, true),
            Some("optional") => (true, true),
            _ => (true, false),
        }
    };
    let ((plain, task), (still_plain, still_task)) = (support(was), support(is));
    let message = match () {
        () if plain && !still_plain => "calls without a task are now rejected (taskSupport is `required`)",
        () if task && !still_task => "calls as tasks are now rejected (taskSupport is `forbidden`)",
        () => return None,
    };
    Some(Breaking { member: "execution".to_owned(), message: message.to_owned(), instance: None })
}

fn flaw_text(flaw: &Flaw) -> String {
    format!("{flaw} ({})", flaw.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(was: Value, is: Value) -> Tools {
        tools(&[was], &[is], Dialect::Draft202012)
    }

    #[test]
    fn tools_are_added_removed_and_renamed() {
        let found = compare(json!({"name": "a"}), json!({"name": "b"}));
        assert_eq!((found.added, found.removed), (vec!["b".to_owned()], vec!["a".to_owned()]));
    }

    #[test]
    fn words_break_nobody() {
        let found = compare(json!({"name": "a", "description": "x"}), json!({"name": "a", "title": "A"}));
        assert_eq!(found.breaking(), 0);
        assert_eq!(found.changed[0].compatible, ["description", "title"]);
    }

    #[test]
    fn an_output_is_compared_the_other_way_round() {
        let count = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]});
        let text = json!({"type": "object", "properties": {"n": {"type": ["integer", "null"]}}, "required": ["n"]});
        let tool = |schema: &Value| json!({"name": "a", "inputSchema": schema, "outputSchema": schema});
        let wider = compare(tool(&count), tool(&text)).changed.remove(0);
        assert_eq!(wider.breaking.iter().map(|one| one.member.as_str()).collect::<Vec<_>>(), ["outputSchema"]);
        assert_eq!(wider.breaking[0].instance, Some(json!({"n": null})));
        let narrower = compare(tool(&text), tool(&count)).changed.remove(0);
        assert_eq!(narrower.breaking.iter().map(|one| one.member.as_str()).collect::<Vec<_>>(), ["inputSchema"]);
        assert_eq!(compare(tool(&count), json!({"name": "a", "inputSchema": count})).breaking(), 1);
    }

    #[test]
    fn ways_of_calling_that_are_gone_break_clients() {
        let tool = |support: &str| json!({"name": "a", "execution": {"taskSupport": support}});
        assert_eq!(compare(tool("optional"), tool("required")).breaking(), 1);
        assert_eq!(compare(tool("required"), json!({"name": "a"})).breaking(), 1);
        assert_eq!(compare(json!({"name": "a"}), tool("optional")).breaking(), 0);
    }
}
