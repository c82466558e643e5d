//! One subject after the other, their arguments made ahead.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::{Duration, Instant};

use serde_json::json;
use tokio::task::{JoinHandle, spawn_blocking};
use verdict::Intent;

use super::drive::Drive;
use super::set::{Order, Set};
use super::subject::Subject;
use crate::scenario::Cx;
use crate::{Lease, Options, Session};

/// Subjects whose arguments are made before their turn.
const AHEAD: usize = 3;

/// One subject after the other on a session, as long as there are any.
pub(super) async fn lane(cx: &Cx, line: &Line, mut lease: Lease) {
    let mut session = lease.session().clone();
    while !session.is_down()
        && let Some((subject, made)) = line.next(cx)
    {
        let Ok(set) = made.await else { continue };
        // Others need not wait for calls that take their time.
        if subject.is_slow() {
            lease.step_aside();
        }
        session = one(cx, &subject, Rc::new(set), session, line.share().min(cx.options.time)).await;
    }
    if !session.is_same(&lease) {
        session.kill().await;
    }
    lease.give_back().await;
}

/// The subjects that are still to be tried; the arguments of some are made ahead.
pub(super) struct Line {
    waiting: RefCell<VecDeque<Subject>>,
    made: RefCell<VecDeque<(Subject, JoinHandle<Set>)>>,
    deadline: Instant,
    lanes: u32,
}

impl Line {
    /// Those that look slow first: then nobody waits for them at the end.
    pub(super) fn of(mut subjects: Vec<Subject>, time: Duration, lanes: usize) -> Self {
        subjects.sort_by_key(|subject| !subject.is_slow());
        let (waiting, made) = (RefCell::new(subjects.into()), RefCell::default());
        let lanes = u32::try_from(lanes).unwrap_or(1);
        Self { waiting, made, deadline: Instant::now() + time, lanes }
    }

    fn next(&self, cx: &Cx) -> Option<(Subject, JoinHandle<Set>)> {
        let mut made = self.made.borrow_mut();
        while made.len() < AHEAD {
            let Some(subject) = self.waiting.borrow_mut().pop_front() else { break };
            let making = making(cx, &subject);
            made.push_back((subject, making));
        }
        made.pop_front()
    }

    /// The time that the next one may take: as much as each of those that are left, so that none is left without.
    fn share(&self) -> Duration {
        let left = self.waiting.borrow().len() + self.made.borrow().len() + 1;
        let left = u32::try_from(left).unwrap_or(u32::MAX);
        self.deadline.saturating_duration_since(Instant::now()) * self.lanes.min(left) / left
    }
}

/// Tries one subject; the session to go on with.
async fn one(cx: &Cx, subject: &Subject, set: Rc<Set>, session: Session, time: Duration) -> Session {
    let told = |session: &Session, unreached: &serde_json::Value, stopped: Option<String>| {
        let mut about = subject.about();
        about.insert("unreached".to_owned(), unreached.clone());
        about.insert("stopped".to_owned(), json!(stopped));
        let intent = if subject.sort().is_some() { Intent::GeneratedSubject } else { Intent::GeneratedTool };
        session.record_probe(subject.scenario(), intent, about.into());
    };
    if let Some(why) = &set.declined {
        told(&session, &json!([]), Some(why.clone()));
        return session;
    }
    let learned = cx.opener.learned();
    if learned.is_mute() {
        told(&session, &json!([]), Some("the server answers no such request any more".to_owned()));
        return session;
    }
    let mut drive = Drive::new(cx, subject, Rc::clone(&set), session, time);
    let stopped = drive.all().await;
    // What takes its time may not have come to an end.
    if drive.is_answered() || !subject.is_slow() {
        learned.note_subject(drive.is_answered());
    }
    drive.repeat().await;
    let stopped = drive.simplify().await.or(stopped);
    told(&drive.session, &json!(set.unreached), stopped);
    drive.session
}

fn making(cx: &Cx, subject: &Subject) -> JoinHandle<Set> {
    let kept = subject.as_tool().and_then(|tool| cx.options.counterexamples.get(&tool.name));
    let cases = usize::try_from(subject.cases(&cx.options)).unwrap_or(usize::MAX);
    let mut first = kept.cloned().unwrap_or_default();
    if subject.is_limited(&cx.options) {
        first.truncate(cases);
    }
    let order = Order {
        subject: subject.clone(),
        revision: cx.profile.revision,
        cases,
        seed: seed(&cx.options, &subject.name),
        first,
        sample: subject.as_tool().and_then(|tool| cx.options.arguments.get(&tool.name)).cloned(),
    };
    spawn_blocking(move || Set::make(&order))
}

/// Subjects with the same schema are tried with different arguments.
fn seed(options: &Options, name: &str) -> u64 {
    let mixed = name
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |mixed, byte| (mixed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    mixed ^ options.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Tool;

    #[test]
    fn nobody_is_left_without_time() {
        let tool = Tool { name: "t".into(), definition: json!({"name": "t"}), callable: true };
        let line = Line::of(vec![Subject::tool(&tool); 99], Duration::from_secs(40), 3);
        let share = line.share();
        assert!(share > Duration::from_secs(1) && share < Duration::from_secs(2), "{share:?}");
        let last = Line::of(Vec::new(), Duration::from_secs(40), 3).share();
        assert!(last > Duration::from_secs(30) && last <= Duration::from_secs(40), "{last:?}");
    }
}
