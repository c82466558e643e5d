//! Faults of the area completion.

use super::Edit::{Remove, Set};
use super::On::Result;
use super::{Fault, rewrite, switch};
use crate::Revision::{V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28};

const COMPLETE: &str = "completion/complete";

pub(super) static TABLE: &[Fault] = &[
    rewrite(
        "completion.capability-declared",
        "",
        "completions are served but not declared",
        &[
            (Result("initialize"), Remove("/result/capabilities/completions")),
            (Result("server/discover"), Remove("/result/capabilities/completions")),
        ],
    ),
    switch("completion.undeclared", "", "completions are neither declared nor served, but with -32602"),
    // In 2024-11-05 a server that refuses everything is one that does not complete.
    switch("completion.served", "", "nothing is completed").only(&[V2025_03_26, V2025_06_18, V2025_11_25, V2026_07_28]),
    rewrite(
        "completion.result.object",
        "",
        "completion is an array",
        &[(Result(COMPLETE), Set("/result/completion", "[]"))],
    ),
    rewrite(
        "completion.result.object",
        "missing",
        "there is no completion",
        &[(Result(COMPLETE), Remove("/result/completion"))],
    ),
    rewrite(
        "completion.result.values",
        "",
        "values are numbers",
        &[(Result(COMPLETE), Set("/result/completion/values", "[1]"))],
    ),
    rewrite(
        "completion.result.values",
        "missing",
        "there are no values",
        &[(Result(COMPLETE), Remove("/result/completion/values"))],
    ),
    switch("completion.result.max-100", "", "there are 101 values"),
    rewrite(
        "completion.result.total",
        "",
        "total is a string",
        &[(Result(COMPLETE), Set("/result/completion/total", "\"6\""))],
    ),
    rewrite(
        "completion.result.total",
        "fraction",
        "total is a fraction",
        &[(Result(COMPLETE), Set("/result/completion/total", "6.5"))],
    ),
    rewrite(
        "completion.result.has-more",
        "",
        "hasMore is a string",
        &[(Result(COMPLETE), Set("/result/completion/hasMore", "\"no\""))],
    ),
    rewrite(
        "completion.result.consistent",
        "",
        "hasMore is true though there is no more",
        &[(Result(COMPLETE), Set("/result/completion/hasMore", "true"))],
    ),
    switch("completion.ref.prompt", "", "completion for prompts is refused"),
    switch("completion.ref.resource", "", "completion for templates is refused"),
    switch("completion.ref.unknown-type", "", "a reference of unknown type gives -32603"),
    switch("completion.ref.unknown-prompt", "", "an unknown prompt gives -32603"),
    switch("completion.ref.unknown-prompt", "served", "an unknown prompt has suggestions"),
    switch("completion.ref.unknown-resource", "", "an unknown template gives -32603"),
    switch("completion.argument.missing", "", "a missing argument gives -32603"),
    switch("completion.argument.wrong-type", "", "a value that is no string gives -32603"),
    switch("completion.argument.unknown-name", "", "an argument that does not exist has suggestions"),
    switch("completion.argument.empty-value", "", "an empty value is refused"),
    switch("completion.context.accepted", "", "a context with arguments is refused"),
    switch("completion.context.optional", "", "a request without context is refused"),
    switch("completion.context.unknown-tolerated", "", "a context is refused as an unknown member"),
    switch("completion.inputs-validated", "", "a long value is not answered"),
    switch("completion.inputs-validated", "files", "a path leads to files of the machine"),
];
