//! Whether a feature is declared by those who serve it, and by no others.

use serde_json::Value;
use verdict::{Finding, Level};
use wire::mcp::code;

use super::{List, is_ordinary};
use crate::{Case, Collector, View};

/// The ids that an area gives these requirements.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules) struct CapabilityIds {
    /// Who serves it declares it.
    pub(in crate::rules) declared: &'static str,
    /// Who does not declare it answers -32601.
    pub(in crate::rules) undeclared: &'static str,
    /// Who declares it lists.
    pub(in crate::rules) answered: &'static str,
}

/// Judges what a capability is worth.
pub(in crate::rules) fn capability(
    view: &View<'_>,
    collector: &mut Collector,
    list: &'static List,
    ids: CapabilityIds,
) {
    if view.declares(list.capability) {
        collector.not_applicable(ids.undeclared, format!("the server declares {}", list.capability));
    }
    for case in view.calls(list.method).filter(Case::is_decided) {
        if is_ordinary(&case) && case.param("cursor").is_none() {
            check_listed(&case, collector, list, ids);
        }
    }
    for case in view.probes(list.undeclared).filter(Case::is_decided) {
        check_undeclared(&case, collector, list, ids);
    }
}

fn check_listed(case: &Case<'_>, collector: &mut Collector, list: &List, ids: CapabilityIds) {
    if !case.view.declares(list.capability) || matches!(case.status(), Some(401 | 403)) {
        return;
    }
    if case.result().is_some() {
        collector.witness(ids.declared);
        collector.witness(ids.answered);
    } else if case.error().is_some() {
        collector.fail(ids.answered, unanswered_finding(case, list));
    } else {
        // Silence under load is repeated before it counts.
        collector.suspect(ids.answered, case, unanswered_finding(case, list));
    }
}

fn unanswered_finding(case: &Case<'_>, list: &List) -> Finding {
    let List { method, capability, things, .. } = list;
    case.finding(
        format!(
            "The server declares {capability}, but {method} returns no result, so clients cannot find any {things}."
        ),
        format!("a result with the list of {things}"),
    )
}

fn check_undeclared(case: &Case<'_>, collector: &mut Collector, list: &List, ids: CapabilityIds) {
    let List { method, member, capability, .. } = list;
    let entries = case.result().and_then(|result| result.get(member)).and_then(Value::as_array);
    match entries {
        Some(entries) if entries.is_empty() => {
            collector.witness(ids.declared);
            collector.note(ids.declared, format!("{method} returns an empty list although {capability} is not declared"));
        }
        Some(_) => collector.fail(
            ids.declared,
            case.finding(
                format!("The server lists {member} but does not declare the {capability} capability, so clients will not look for them."),
                format!("capabilities.{capability} in the response that opens the session"),
            ),
        ),
        None if case.error().is_some() && case.method() == Some(method) => collector.witness(ids.declared),
        None => {}
    }
    let nothing = entries.is_some_and(Vec::is_empty);
    check_refused(case, collector, capability, ids.undeclared, nothing);
}

fn check_refused(case: &Case<'_>, collector: &mut Collector, capability: &str, id: &'static str, nothing: bool) {
    if case.reply().is_none() && case.status().is_some() {
        collector.inconclusive(
            id,
            format!("{} is answered with a bare HTTP status", case.method().unwrap_or("the request")),
        );
        return;
    }
    collector.check(id, case.error_code() == Some(code::METHOD_NOT_FOUND), || {
        let how = if case.error().is_some() { "is refused with a code other than -32601" } else { "is not refused" };
        let message = format!("A {capability} method {how}, though the server does not declare {capability}.");
        let mut finding = case.finding(message, "error -32601 (method not found)");
        finding.place = case.method().map(str::to_owned);
        // A default handler that has nothing to give misleads nobody.
        finding.level = nothing.then_some(Level::Advice);
        finding
    });
}
