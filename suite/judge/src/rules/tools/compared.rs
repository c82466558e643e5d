//! What each tool answers to valid and to invalid arguments, compared: what both get alike says nothing of the arguments. A
//! backend that is down, or a login that is missing, answers every call in the same way.

use std::collections::{BTreeMap, BTreeSet};

use verdict::Intent;

use super::came::{Came, arguments, came};
use crate::rules::own_doing::is_own_doing;
use crate::rules::wording::{failure_text, pattern, pattern_of};
use crate::{Case, View};

/// Characters shown of an error.
const SHOWN: usize = 160;

/// How a call failed, without what differs from call to call.
type Failure = (Option<i64>, String);

/// The answers of all tools.
pub(in crate::rules) struct Compared<'v> {
    tools: BTreeMap<&'v str, Answers>,
}

#[derive(Default)]
struct Answers {
    /// A call with valid arguments was served.
    served: bool,
    /// How calls with valid arguments failed.
    valid: BTreeSet<Failure>,
    /// How calls with invalid arguments failed.
    invalid: BTreeSet<Failure>,
}

impl<'v> Compared<'v> {
    /// Reads the answers to all calls.
    pub(in crate::rules) fn new(view: &'v View<'v>) -> Self {
        let mut tools: BTreeMap<&str, Answers> = BTreeMap::new();
        for intent in [Intent::ValidCall, Intent::InvalidCall] {
            for case in view.probes(intent).filter(|case| case.is_decided() && !is_own_doing(case)) {
                let Some(name) = case.tool() else { continue };
                let answers = tools.entry(name).or_default();
                match (failures(&case), intent) {
                    (Some(failures), Intent::ValidCall) => answers.valid.extend(failures),
                    (Some(failures), _) => answers.invalid.extend(failures),
                    (None, Intent::ValidCall) => answers.served |= came(&case) != Came::Nothing,
                    (None, _) => {}
                }
            }
        }
        // In a recording nobody says which arguments are valid: those of a call that was served were.
        for case in view.calls("tools/call").filter(|case| case.intent().is_none() && case.is_decided()) {
            if let Some(name) = case.tool().filter(|_| came(&case) == Came::Plain) {
                tools.entry(name).or_default().served = true;
            }
        }
        Self { tools }
    }

    /// Whether a failed call with invalid arguments failed because of them: valid ones are served, or fail otherwise.
    pub(in crate::rules) fn blames_arguments(&self, case: &Case<'_>) -> bool {
        let Some((answers, failures)) = self.answers(case) else { return false };
        answers.served || (!answers.valid.is_empty() && !holds(&answers.valid, &failures))
    }

    /// Whether a failed call with valid arguments failed otherwise than with invalid ones: they were let through.
    pub(in crate::rules) fn lets_through(&self, case: &Case<'_>) -> bool {
        let Some((answers, failures)) = self.answers(case) else { return false };
        !holds(&answers.invalid, &failures) && (answers.served || !answers.invalid.is_empty())
    }

    /// Whether a call with valid arguments of the same tool was served.
    pub(in crate::rules) fn serves(&self, case: &Case<'_>) -> bool {
        self.answers(case).is_some_and(|(answers, _)| answers.served)
    }

    /// Whether a call with valid arguments of the same tool failed in the same way.
    pub(in crate::rules) fn is_told_valid_ones_too(&self, case: &Case<'_>) -> bool {
        self.answers(case).is_some_and(|(answers, failures)| holds(&answers.valid, &failures))
    }

    fn answers(&self, case: &Case<'_>) -> Option<(&Answers, [Failure; 2])> {
        Some((self.tools.get(case.tool()?)?, failures(case)?))
    }
}

fn holds(known: &BTreeSet<Failure>, failures: &[Failure]) -> bool {
    failures.iter().any(|failure| known.contains(failure))
}

/// How a call failed, with its own arguments in the text and without them: a text may echo them, or say the same by chance.
fn failures(case: &Case<'_>) -> Option<[Failure; 2]> {
    let failed = matches!(came(case), Came::Error | Came::ToolError);
    failed.then(|| {
        let text = failure_text(case).unwrap_or_default();
        [pattern(&text), pattern_of(&text, &arguments(case))].map(|text| (case.error_code(), text))
    })
}

/// Says that valid and invalid arguments get the same answer, with its words.
pub(in crate::rules) fn undecided(case: &Case<'_>) -> String {
    let text = failure_text(case).unwrap_or_default();
    let words: Vec<&str> = text.split_whitespace().collect();
    let shown: String = words.join(" ").chars().take(SHOWN).collect();
    format!("valid and invalid arguments get the same answer, which so says nothing of them: {shown}")
}
