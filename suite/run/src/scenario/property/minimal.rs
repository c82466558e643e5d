//! Makes a call that broke something as simple as it gets: each simpler one is sent and judged, so many and no more.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use verdict::transcript::Event;

use super::drive::Drive;
use super::scene::Breach;

/// Calls for one breach.
const CALLS: u32 = 500;
/// Breaches of one tool that are made simple.
const BREACHES: usize = 12;
/// Time for one tool.
const TIME: Duration = Duration::from_secs(3);

impl Drive<'_> {
    /// Makes what failed simple; why it was not done to the end, if it was not.
    pub(super) async fn simplify(&mut self) -> Option<String> {
        let began = Instant::now();
        self.examine_late().await;
        if self.session.is_down() || self.subject.is_limited(&self.cx.options) {
            return None;
        }
        self.compare().await;
        let options = std::rc::Rc::clone(&self.cx.options);
        let breaches = self.scene.breaches(self.events(), &|id| options.wants(id));
        for breach in breaches.into_iter().take(BREACHES) {
            if self.session.is_down() || began.elapsed() >= TIME {
                break;
            }
            self.shrink(&breach, TIME.saturating_sub(began.elapsed())).await;
        }
        None
    }

    /// For a subject that takes only strings: adds a case that was served to the scene, since a failure tells more beside it, and
    /// repeats the first case that failed inside the server, since once may be chance.
    async fn compare(&mut self) {
        if self.subject.sort().is_none() {
            return;
        }
        if let Some((case, result)) = self.shown.take() {
            self.scene.served(self.subject, &self.set.cases[case].arguments, result);
        }
        if let Some(case) = self.stumbled.first().copied() {
            let arguments = self.set.cases[case].arguments.clone();
            let more = Map::from_iter([("again".to_owned(), json!(1))]);
            self.lone(&self.session, case, &arguments, more, self.session.limit()).await;
        }
    }

    async fn shrink(&self, breach: &Breach, time: Duration) {
        let began = Instant::now();
        let case = breach.generated.case as usize;
        let Some(made) = self.set.cases.get(case) else { return };
        let Some(kind) = self.set.kind(made) else { return };
        let mut best = made.arguments.clone();
        let firm = self.firm(case, &best);
        let mut shrinking = kind.shrink(best.clone());
        let mut failed = true;
        for _ in 0..CALLS {
            if began.elapsed() >= time {
                break;
            }
            let Some(simpler) = shrinking.next(failed) else { break };
            failed = self.set.is_like(made, &simpler)
                && self.firm(case, &simpler) == firm
                && self.shows(breach, case, &simpler, "step").await;
            if failed {
                best = simpler;
            }
            if self.session.is_down() {
                return;
            }
        }
        self.shows(breach, case, &best, "minimal").await;
    }

    fn firm(&self, case: usize, arguments: &Value) -> bool {
        let made = &self.set.cases[case];
        let at = made.broken.and_then(|at| self.set.breaks[at].place(arguments)).unwrap_or_default();
        self.is_firm(made, arguments, &at)
    }

    /// Sends a call and judges it alone.
    async fn shows(&self, breach: &Breach, case: usize, arguments: &Value, mark: &str) -> bool {
        let from = self.cx.opener.recorder().next();
        let more = Map::from_iter([(mark.to_owned(), json!(true))]);
        self.lone(&self.session, case, arguments, more, self.session.limit()).await;
        let id = self.session.id();
        let own = |event: &&Event| event.session == id;
        let events =
            self.cx.opener.recorder().with(|events| events.iter().skip(from as usize).filter(own).cloned().collect());
        self.scene.shows(breach, events)
    }
}
