//! Prompts, resource templates and completions: they take strings alone, so a few cases each show what there is to see. Valid
//! ones, and of prompts some that lack what is required.

use std::collections::HashSet;

use super::lease;
use super::line::{Line, lane};
use super::subject::{self, Subject};
use crate::ServerProfile;
use crate::scenario::completion::{may_complete, targets};
use crate::scenario::{Cx, Scenario, Stage, prompts, resources};

/// All subjects of a kind together get so many times what one may take.
const SUBJECTS: u32 = 5;

pub(super) const PROMPTS: Scenario = Scenario {
    name: subject::PROMPTS,
    provokes: &["prompts.get.missing-required-argument", "prompts.get.validates-arguments"],
    stage: Stage::Generated,
    applies: |profile| may(profile) && !profile.entries("prompts/list").is_empty(),
    run: |cx| Box::pin(run(cx, of_prompts)),
};

pub(super) const TEMPLATES: Scenario = Scenario {
    name: subject::TEMPLATES,
    provokes: &["resources.read.contents-array"],
    stage: Stage::Generated,
    applies: |profile| may(profile) && !profile.entries("resources/templates/list").is_empty(),
    run: |cx| Box::pin(run(cx, of_templates)),
};

pub(super) const COMPLETION: Scenario = Scenario {
    name: subject::COMPLETIONS,
    provokes: &["completion.inputs-validated", "completion.result.values", "completion.result.max-100"],
    stage: Stage::Generated,
    applies: |profile| may(profile) && may_complete(profile) && !targets(profile).is_empty(),
    run: |cx| Box::pin(run(cx, of_completion)),
};

/// The scenarios with strings: after those of their areas, which say more of what both provoke.
pub(crate) static SCENARIOS: &[Scenario] = &[PROMPTS, TEMPLATES, COMPLETION];

fn may(profile: &ServerProfile) -> bool {
    profile.may_disrupt && !profile.outside
}

fn of_prompts(cx: &Cx) -> Vec<Subject> {
    let listed = cx.profile.entries("prompts/list").iter().take(prompts::PROMPTS);
    listed.filter_map(|prompt| Subject::prompt(prompt, &cx.options)).collect()
}

fn of_templates(cx: &Cx) -> Vec<Subject> {
    let listed = cx.profile.entries("resources/templates/list").iter();
    listed.filter_map(Subject::template).take(resources::TEMPLATES).collect()
}

fn of_completion(cx: &Cx) -> Vec<Subject> {
    targets(&cx.profile).into_iter().map(Subject::completion).collect()
}

async fn run(cx: Cx, of: fn(&Cx) -> Vec<Subject>) {
    let mut seen = HashSet::new();
    let subjects: Vec<Subject> = of(&cx).into_iter().filter(|subject| seen.insert(subject.name.clone())).collect();
    if cx.options.cases == 0 || subjects.is_empty() {
        return;
    }
    let Ok(session) = lease(&cx).await else { return };
    let line = Line::of(subjects, cx.options.time * SUBJECTS, 1);
    lane(&cx, &line, session).await;
}
