//! Progress rises from one notification to the next; totals and messages make sense. Passive.

use std::collections::BTreeMap;

use serde_json::Value;

use super::beat::{Beat, beats};
use crate::rules::during::{param, told_of};
use crate::{Collector, Exchange, Rule, Session, View};

pub(super) const RULE: Rule = Rule {
    name: "progress/order",
    judges: &["progress.value-increases", "progress.total-plausible", "progress.message-useful"],
    judge,
};

fn judge(view: &View<'_>, collector: &mut Collector) {
    for session in view.judged() {
        for (request, beats) in series(session) {
            check_rises(request, &beats, collector);
            for beat in &beats {
                check_total(request, beat, collector);
                check_message(request, beat, collector);
            }
        }
    }
}

/// Returns the progress of each request on each stream, in order: streams may overtake each other.
fn series<'v>(session: &'v Session<'v>) -> Vec<(&'v Exchange<'v>, Vec<Beat<'v>>)> {
    let mut series: BTreeMap<(u32, u32), (&Exchange<'_>, Vec<Beat<'_>>)> = BTreeMap::new();
    for beat in beats(session) {
        if let Some(request) = beat.request {
            let key = (request.seq, beat.incoming.receive.channel);
            series.entry(key).or_insert_with(|| (request, Vec::new())).1.push(beat);
        }
    }
    series.into_values().collect()
}

fn check_rises(request: &Exchange<'_>, beats: &[Beat<'_>], collector: &mut Collector) {
    for pair in beats.windows(2) {
        let (Some(before), Some(after)) = (pair[0].progress(), pair[1].progress()) else { continue };
        let rises = before.as_f64() < after.as_f64() || beyond(before, after);
        collector.check("progress.value-increases", rises, || {
            let equal = before.as_f64() == after.as_f64();
            let message = if equal {
                "Two progress notifications for one request have the same value, so clients treat one as a duplicate or the task as stuck."
            } else {
                "The progress of a request decreases, so what clients show is wrong."
            };
            let mut finding = told_of(
                request,
                pair[1].incoming,
                message,
                "a greater value with every notification, even if the total is unknown",
                if equal { "the same value again" } else { "a smaller value" },
            );
            finding.wire.insert(1, pair[0].incoming.wire());
            finding
        });
    }
}

/// Integers that a double cannot tell apart, but that are not the same.
fn beyond(before: &Value, after: &Value) -> bool {
    before.as_f64() == after.as_f64() && before != after && before.is_u64() && after.is_u64()
}

fn check_total(request: &Exchange<'_>, beat: &Beat<'_>, collector: &mut Collector) {
    let (Some(progress), Some(total)) =
        (beat.progress().and_then(Value::as_f64), param(beat.incoming, "total").and_then(Value::as_f64))
    else {
        return;
    };
    collector.check("progress.total-plausible", progress <= total, || {
        let message = "Progress exceeds the total given with it, so clients show more than 100%.";
        told_of(request, beat.incoming, message, "a progress of at most total", "a progress greater than total")
    });
}

fn check_message(request: &Exchange<'_>, beat: &Beat<'_>, collector: &mut Collector) {
    let Some(text) = param(beat.incoming, "message").and_then(Value::as_str) else { return };
    let bare = text.trim().trim_end_matches('%').trim();
    let number = bare.parse::<f64>().ok();
    let says = !bare.is_empty() && (number.is_none() || number != beat.progress().and_then(Value::as_f64));
    collector.check("progress.message-useful", says, || {
        let message = "The message of a progress notification says nothing beyond the number.";
        let actual = if bare.is_empty() { "an empty message" } else { "the number again" };
        told_of(request, beat.incoming, message, "human-readable text about what is being done, or no message", actual)
    });
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Level, Revision, Status};

    use crate::testing::Script;

    const RISES: &str = "progress.value-increases";

    fn beats(values: &[Value]) -> Script {
        let mut script = Script::new(Revision::V2025_11_25, json!({"tools": {}}));
        script.ask(None, "tools/call", json!({"name": "slow", "_meta": {"progressToken": "a"}}));
        values.iter().fold(script, |script, params| {
            let mut params = params.clone();
            params["progressToken"] = json!("a");
            script.says_json(&json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}))
        })
    }

    fn values(values: &[f64]) -> Script {
        beats(&values.iter().map(|value| json!({"progress": value})).collect::<Vec<_>>())
    }

    #[test]
    fn rising_values_pass_fractions_and_negative_ones_too() {
        assert_eq!(values(&[1.0, 2.0, 3.0]).status_of(RISES), Status::Pass);
        assert_eq!(values(&[-0.5, 0.125, 0.25]).status_of(RISES), Status::Pass);
        assert_eq!(values(&[1.0]).status_of(RISES), Status::NotObserved);
    }

    #[test]
    fn equal_and_falling_values_fail() {
        assert_eq!(values(&[1.0, 1.0]).fails(), [RISES]);
        assert_eq!(values(&[2.0, 1.0]).fails(), [RISES]);
    }

    #[test]
    fn more_than_the_total_is_advice() {
        let verdict = beats(&[json!({"progress": 5, "total": 4})]).verdict("progress.total-plausible");
        assert_eq!((verdict.status, verdict.level), (Status::Fail, Level::Advice));
        // A total may change.
        let script = beats(&[json!({"progress": 1, "total": 4}), json!({"progress": 2, "total": 9})]);
        assert_eq!(script.status_of("progress.total-plausible"), Status::Pass);
    }

    #[test]
    fn a_message_says_more_than_the_number() {
        const ID: &str = "progress.message-useful";
        assert_eq!(beats(&[json!({"progress": 1, "message": "Step 1"})]).status_of(ID), Status::Pass);
        assert_eq!(beats(&[json!({"progress": 1, "message": " "})]).fails(), [ID]);
        assert_eq!(beats(&[json!({"progress": 50, "message": "50 %"})]).fails(), [ID]);
        assert_eq!(beats(&[json!({"progress": 50})]).status_of(ID), Status::NotObserved);
    }
}
