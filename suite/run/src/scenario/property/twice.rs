//! Tools that say that they only read, or that a repetition changes nothing: a few calls that were served are made again. Where
//! one fails that was served before, it is repeated once more, and then something else is asked of the tool: only if that is
//! served does the failure tell of the repetition.

use std::time::Duration;

use judge::promise;
use serde_json::{Value, json};
use verdict::Intent;

use super::drive::{Drive, is_whole};
use crate::{RequestOutcome, Tool};

/// Calls of a tool that are repeated.
const REPEATED: usize = 3;
/// Tools that take longer are not called again: as much time would go by as for all that came before.
const QUICK: Duration = Duration::from_millis(300);

impl Drive<'_> {
    /// Repeats calls that were served.
    pub(super) async fn repeat(&self) {
        let Some(tool) = self.subject.as_tool().filter(|tool| promise(&tool.definition).is_some()) else { return };
        if self.slowest() > QUICK || self.subject.is_slow() {
            return;
        }
        let mut failed = false;
        for case in self.served.iter().copied().take(REPEATED) {
            if self.is_over() {
                return;
            }
            failed |= self.again(tool, case, 1).await && self.again(tool, case, 2).await;
        }
        if let Some(arguments) = self.set.beside.as_ref().filter(|_| failed && !self.is_over()) {
            self.ask(tool, arguments, Intent::RepeatedBeside, json!({"tool": tool.name})).await;
        }
    }

    /// Whether a call that was served fails now.
    async fn again(&self, tool: &Tool, case: usize, time: u32) -> bool {
        let about = json!({"tool": tool.name, "case": case, "again": time});
        match self.ask(tool, &self.set.cases[case].arguments, Intent::RepeatedCall, about).await {
            RequestOutcome::Answer(message) => !message.result().is_some_and(is_whole),
            _ => false,
        }
    }

    async fn ask(&self, tool: &Tool, arguments: &Value, intent: Intent, about: Value) -> RequestOutcome {
        let params = json!({"name": tool.name, "arguments": arguments});
        self.session.ask("tools/call", params).probe(self.subject.scenario(), intent, about).send().await
    }
}
