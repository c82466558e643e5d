//! The section on hosts: what they do not take, and what becomes of each tool.

use serde_json::{Value, json};
use verdict::record::{HostFact, HostPlace, Record};

use crate::hosts::{Matrix, is_grave, known};

/// Returns the facts and the table of tools by hosts; none if there are no facts.
pub(super) fn hosts(record: &Record) -> Option<Value> {
    if record.hosts.is_empty() {
        return None;
    }
    let matrix = Matrix::of(record).map(|matrix| {
        let row = |(tool, cells): (&str, Vec<&str>)| json!({"tool": tool, "cells": cells});
        json!({"hosts": matrix.hosts, "rows": matrix.rows.into_iter().map(row).collect::<Vec<_>>()})
    });
    Some(json!({"facts": record.hosts.iter().map(fact).collect::<Vec<_>>(), "matrix": matrix}))
}

fn fact(fact: &HostFact) -> Value {
    json!({
        "id": fact.id,
        "effect": fact.effect,
        "grave": is_grave(fact),
        "only_if": fact.only_if,
        "hosts": fact.hosts_with_effects(),
        "what": fact.what,
        "places": fact.places.iter().map(HostPlace::in_words).collect::<Vec<_>>(),
        "more": fact.more,
        "mend": fact.mend,
        "both": fact.both,
        "known": format!("{}; seen in {}", known(fact), fact.seen_in),
        "source": fact.source,
    })
}
