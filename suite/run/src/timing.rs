//! Where the time of a run went: the critical path through its transcript, from the last thing that happened back to the first. What
//! goes on beside it costs nothing.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use verdict::record::TimingStep;
use verdict::transcript::{Event, Kind, Open};

/// A pause within which a session is taken to be busy, in microseconds.
const PAUSE: u64 = 20_000;
/// How long after one session has stopped another may begin because of that, in microseconds.
const NEXT: u64 = 5_000;
/// The step after the last thing that happened.
const REPORTS: &str = "judging and reports";
/// The step in which processes are ended at last.
const ENDING: &str = "ending the server";

/// What the time between two events was spent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spent {
    Starting,
    Answer,
    Silence,
    Own,
}

/// A moment at which something happened in a session: when, and the processor time that the tester had used by then.
#[derive(Clone, Copy, Debug, Default)]
struct Moment {
    at: u64,
    own: u64,
}

/// A stretch of time, what was waited for, and under which name.
#[derive(Debug)]
struct Part {
    from: Moment,
    to: Moment,
    spent: Spent,
    name: Rc<str>,
}

/// A time in which a session was busy without a pause: at least one part, each from the end of the one before.
#[derive(Debug)]
struct Busy {
    first: Part,
    further: Vec<Part>,
}

/// What the sessions of a run were busy with. Each event is read once.
#[derive(Debug, Default)]
pub(crate) struct Timeline {
    /// Events that have been read.
    read: usize,
    ways: HashMap<u32, Way>,
    busy: Vec<Busy>,
}

impl Timeline {
    /// Reads what has happened since. `own` has for each event the processor time in microseconds that the tester had used when it was
    /// recorded.
    pub(crate) fn catch_up(&mut self, events: &[Event], own: &[u64]) {
        for event in &events[self.read..] {
            let own = own.get(event.seq as usize).copied().unwrap_or(0);
            self.take(event, Moment { at: event.at_us, own });
        }
        self.read = events.len();
    }

    fn take(&mut self, event: &Event, now: Moment) {
        match &event.kind {
            Kind::Open(open) => {
                self.end(open.continues);
                self.ways.insert(event.session, Way::new(open, now));
            }
            Kind::Exit(_) => self.end(Some(event.session)),
            Kind::Stderr { .. } => {}
            _ => {
                if let Some(way) = self.ways.get_mut(&event.session) {
                    self.busy.extend(way.passes(now));
                    way.take(event);
                }
            }
        }
    }

    /// The end of a process is no business of its session any more.
    fn end(&mut self, session: Option<u32>) {
        let way = session.and_then(|session| self.ways.remove(&session));
        self.busy.extend(way.and_then(|way| way.busy));
    }

    /// The critical path of a run that ended with `end`, the longest step first; the sum is `wall`.
    pub(crate) fn critical_path(&self, end: Option<&Event>, own: &[u64], wall: Duration) -> Vec<TimingStep> {
        let mut path = Path::default();
        let last = end.map_or(0, |event| event.at_us);
        let end = Moment { at: last, own: own.last().copied().unwrap_or(0) };
        let wall = u64::try_from(wall.as_micros()).unwrap_or(u64::MAX);
        path.add(REPORTS, end, Moment { at: wall.max(last), own: u64::MAX }, Spent::Own);

        let mut busy: Vec<&Busy> =
            self.busy.iter().chain(self.ways.values().filter_map(|way| way.busy.as_ref())).collect();
        busy.sort_by_key(|busy| (busy.to().at, busy.first.from.at));
        let (mut now, mut name) = (end, ENDING);
        while let Some(last) = busy.pop() {
            // What goes on beside a later step.
            if last.first.from.at >= now.at || last.to().at > now.at + NEXT {
                continue;
            }
            path.add(name, last.to().before(now), now, Spent::Silence);
            for part in [&last.first].into_iter().chain(&last.further) {
                path.add(&part.name, part.from, part.to.before(now), part.spent);
            }
            (now, name) = (last.first.from, &last.first.name);
        }
        path.add(name, Moment::default(), now, Spent::Silence);
        path.steps()
    }

    /// What a session has waited for longest, if that is longer than `long`: which, what for, and how long.
    pub(crate) fn longest_wait(&self, now: Duration, long: Duration) -> Option<(String, String, Duration)> {
        let waits = self.ways.values().filter_map(|way| {
            let (at, what) = way.waits_for()?;
            Some((way.name.to_string(), what, now.saturating_sub(Duration::from_micros(at))))
        });
        waits.filter(|(_, _, age)| *age >= long).max_by_key(|(_, _, age)| *age)
    }
}

impl Moment {
    /// This one, or that one if it is earlier.
    fn before(self, other: Self) -> Self {
        Self { at: self.at.min(other.at), own: self.own.min(other.own) }
    }
}

impl Busy {
    fn to(&self) -> Moment {
        self.further.last().unwrap_or(&self.first).to
    }

    /// Adds the time up to that of a part, which may be the same thing going on.
    fn extend(&mut self, next: Part) {
        let last = self.further.last_mut().unwrap_or(&mut self.first);
        if last.spent == next.spent && Rc::ptr_eq(&last.name, &next.name) {
            last.to = next.to;
        } else {
            self.further.push(next);
        }
    }
}

/// The steps of a path, by their names.
#[derive(Default)]
struct Path<'p>(BTreeMap<&'p str, TimingStep>);

impl<'p> Path<'p> {
    fn add(&mut self, name: &'p str, from: Moment, to: Moment, spent: Spent) {
        let step = self.0.entry(name).or_default();
        let all = to.at.saturating_sub(from.at);
        let own = if spent == Spent::Own { all } else { to.own.saturating_sub(from.own).min(all) };
        step.own_us += own;
        let rest = match spent {
            Spent::Starting => &mut step.starting_us,
            Spent::Answer => &mut step.answers_us,
            Spent::Silence | Spent::Own => &mut step.silence_us,
        };
        *rest += all - own;
    }

    fn steps(self) -> Vec<TimingStep> {
        let named = |(name, step): (&str, TimingStep)| TimingStep { name: name.to_owned(), ..step };
        let mut steps: Vec<TimingStep> = self.0.into_iter().map(named).filter(|step| step.all_us() > 0).collect();
        steps.sort_by_key(|step| std::cmp::Reverse(step.all_us()));
        steps
    }
}

/// What is known of a session on the way through its events.
#[derive(Debug)]
struct Way {
    name: Rc<str>,
    starting: bool,
    /// What is owed an answer: since when, and the method.
    open: HashMap<Value, (u64, String)>,
    last: Moment,
    busy: Option<Busy>,
}

impl Way {
    fn new(open: &Open, now: Moment) -> Self {
        let starting = open.continues.is_none();
        Self { name: open.purpose.as_str().into(), starting, open: HashMap::new(), last: now, busy: None }
    }

    fn waits_for(&self) -> Option<(u64, String)> {
        let (at, method) = self.open.values().min_by_key(|(at, _)| *at)?;
        Some((*at, if self.starting { "a process to start".to_owned() } else { format!("the answer to {method}") }))
    }

    /// The time up to now belongs to what it was waited for. Gives what is over, after a pause.
    fn passes(&mut self, now: Moment) -> Option<Busy> {
        let spent = match () {
            () if self.starting => Spent::Starting,
            () if !self.open.is_empty() => Spent::Answer,
            () => Spent::Silence,
        };
        let last = std::mem::replace(&mut self.last, now);
        if spent == Spent::Silence && now.at.saturating_sub(last.at) > PAUSE {
            return self.busy.take();
        }
        let part = Part { from: last, to: now, spent, name: Rc::clone(&self.name) };
        match &mut self.busy {
            Some(busy) => busy.extend(part),
            None => self.busy = Some(Busy { first: part, further: Vec::new() }),
        }
        None
    }

    fn take(&mut self, event: &Event) {
        match &event.kind {
            Kind::Send(send) => {
                if let Some(probe) = send.probe.as_ref().filter(|probe| *probe.scenario != *self.name) {
                    self.name = probe.scenario.as_str().into();
                }
                let asked =
                    heads(&send.text).into_iter().filter_map(|head| Some((head.id?, (event.at_us, head.method?))));
                self.open.extend(asked);
            }
            Kind::Receive(receive) => {
                self.starting = false;
                for id in
                    heads(&receive.text).into_iter().filter(|head| head.method.is_none()).filter_map(|head| head.id)
                {
                    self.open.remove(&id);
                }
            }
            Kind::GaveUp { .. } | Kind::Settled { .. } => self.open.clear(),
            _ => {}
        }
    }
}

/// What of a message tells whether it asks or answers; the rest is skipped, since every message is read once more for this.
#[derive(Deserialize)]
struct Head {
    id: Option<Value>,
    method: Option<String>,
}

fn heads(text: &str) -> Vec<Head> {
    if text.trim_start().starts_with('[') {
        return serde_json::from_str(text).unwrap_or_default();
    }
    serde_json::from_str(text).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use verdict::Transport;
    use verdict::transcript::{Receive, Send, Via};

    use super::*;

    fn open(purpose: &str, continues: Option<u32>) -> Kind {
        let transport = Transport::Stdio;
        Kind::Open(Open {
            transport,
            purpose: purpose.into(),
            revision: None,
            confirm: false,
            outside: false,
            continues,
        })
    }

    fn send(id: u32) -> Kind {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"ping"}}"#);
        let (base64, probe, http, path) = (None, None, None, None);
        Kind::Send(Send { channel: 0, text, base64, probe, http, headers: vec![], path })
    }

    fn receive(id: u32) -> Kind {
        let text = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{}}}}"#);
        Kind::Receive(Receive { channel: 0, text, via: Via::Line, dropped: 0, not_utf8: false })
    }

    /// At these milliseconds.
    fn events(happened: Vec<(u64, u32, Kind)>) -> Vec<Event> {
        let event = |(seq, (at, session, kind)): (usize, (u64, u32, Kind))| Event {
            seq: u32::try_from(seq).expect("few"),
            at_us: at * 1_000,
            session,
            kind,
        };
        happened.into_iter().enumerate().map(event).collect()
    }

    fn read(events: &[Event]) -> Timeline {
        let mut timeline = Timeline::default();
        timeline.catch_up(&events[..events.len() / 2], &[]);
        timeline.catch_up(events, &[]);
        timeline
    }

    fn path(happened: Vec<(u64, u32, Kind)>, wall: u64) -> Vec<(String, [u64; 4])> {
        let events = events(happened);
        let parts =
            |step: &TimingStep| [step.starting_us, step.answers_us, step.silence_us, step.own_us].map(|us| us / 1_000);
        let steps = read(&events).critical_path(events.last(), &[], Duration::from_millis(wall));
        steps.iter().map(|step| (step.name.clone(), parts(step))).collect()
    }

    #[test]
    fn what_goes_on_beside_a_longer_step_costs_nothing() {
        let steps = path(
            vec![
                (0, 0, open("main", None)),
                (0, 0, send(1)),
                (300, 0, receive(1)),
                (302, 1, open("slow", Some(0))),
                (302, 1, send(2)),
                (303, 2, open("quick", None)),
                (303, 2, send(1)),
                (403, 2, receive(1)),
                (902, 1, receive(2)),
            ],
            1_000,
        );
        let expected = [("slow", [0, 600, 2, 0]), ("main", [300, 0, 0, 0]), (REPORTS, [0, 0, 0, 98])];
        assert_eq!(steps, expected.map(|(name, parts)| (name.to_owned(), parts)));
    }

    #[test]
    fn the_longest_wait_is_named() {
        let happened = [(0, 0, open("main", None)), (0, 0, send(1)), (100, 0, receive(1)), (200, 0, send(2))];
        let events: Vec<Event> = events(happened.into());
        let waits = |now: u64| read(&events).longest_wait(Duration::from_millis(now), Duration::from_secs(2));
        assert_eq!(waits(2_100), None);
        let expected = ("main".to_owned(), "the answer to ping".to_owned(), Duration::from_millis(2_100));
        assert_eq!(waits(2_300), Some(expected));
        let starting = read(&events[..2]).longest_wait(Duration::from_secs(3), Duration::from_secs(2));
        assert_eq!(starting.map(|(_, what, _)| what), Some("a process to start".to_owned()));
    }

    #[test]
    fn a_pause_in_which_nothing_is_owed_is_silence() {
        let steps = path(
            vec![
                (0, 0, open("main", None)),
                (0, 0, send(1)),
                (100, 0, receive(1)),
                (300, 0, send(2)),
                (310, 0, receive(2)),
            ],
            310,
        );
        assert_eq!(steps, [("main".to_owned(), [100, 10, 200, 0])]);
    }
}
