//! The pages of a list: asked for once more where one is late. If that is answered, the first answer is lost and not late, and the list goes on.

use std::rc::Rc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::Notify;
use tokio::time::timeout;
use verdict::transcript::Probe;

use super::{RequestOutcome, Session};

/// When a page is late, and how long it may still take once the second request is answered; the same where answers are known to get lost.
const LATE: [Duration; 2] = [Duration::from_millis(1_500), Duration::from_millis(500)];
const LOSSY: [Duration; 2] = [Duration::from_millis(500), Duration::from_millis(100)];

/// How often it is asked for again.
const MORE: usize = 2;

impl Session {
    /// A page of a list.
    pub(crate) async fn page(&self, method: &str, params: &Value, probe: Probe) -> RequestOutcome {
        let lost = Rc::new(Notify::new());
        let [late, rest] = if self.loses_answers() { LOSSY.map(|time| self.paced(time)) } else { LATE };
        let first = self
            .ask(method, params.clone())
            .probe(&probe.scenario, probe.intent, probe.about)
            .until_lost(&lost, rest)
            .send();
        tokio::pin!(first);
        if let Ok(outcome) = timeout(late, &mut first).await {
            return outcome;
        }
        // Where answers are told apart by their order, or sent one at a time, one waits for the other.
        if self.is_down() || self.takes_turns() || self.0.in_flight.borrow().is_by_order() {
            return first.await;
        }
        for _ in 0..MORE {
            let again = async {
                // A server that works through one request after the other is slow, and gets no more to do.
                let free = self.is_answering(late).await;
                let again = self.ask(method, params.clone()).send();
                if free { timeout(late, again).await.ok() } else { None }
            };
            tokio::select! {
                biased;
                outcome = &mut first => return outcome,
                again = again => {
                    let Some(again) = again else { continue };
                    if again.result().is_none() {
                        break;
                    }
                    lost.notify_one();
                    let outcome = first.await;
                    if outcome.is_sign_of_life() {
                        return outcome;
                    }
                    // Nothing about it was at fault, since it was answered: this counts twice.
                    self.0.note_lost();
                    return again;
                }
            }
        }
        first.await
    }
}
