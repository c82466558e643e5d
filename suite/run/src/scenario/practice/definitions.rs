//! Names, definitions and hints: what every run asks for at its beginning and end shows all that there is to see.

use crate::scenario::{Scenario, Stage};

pub(super) const SCENARIO: Scenario = Scenario {
    name: "practice/definitions",
    provokes: &[
        "practice.server-name.convention",
        "practice.server-name.lower-case",
        "practice.server-name.no-version",
        "practice.tool-name.snake-case",
        "practice.tool-name.service-prefix",
        "practice.tool-name.verb",
        "practice.tool-name.service-action-resource",
        "practice.tool-name.specific",
        "practice.tool-name.consistent",
        "practice.tool.description-present",
        "practice.tool.description-informative",
        "practice.tool.description-narrow",
        "practice.tool.description-distinct",
        "practice.tool.examples",
        "practice.tool.returns-documented",
        "practice.tool.atomic",
        "practice.tool.schema-typed",
        "practice.tool.schema-described",
        "practice.tool.schema-bounded",
        "practice.tool.schema-closed",
        "practice.tool.definitions-stable",
        "practice.annotations.present",
        "practice.annotations.title",
        "practice.annotations.match-verb",
        "practice.response.format-parameter",
        "practice.list.pagination-offered",
    ],
    stage: Stage::Shared,
    applies: |_| true,
    run: |_| Box::pin(async {}),
};
