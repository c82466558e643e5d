//! Where the time of a run went: the critical path through its transcript, from the last thing that happened back to the first. What
//! goes on beside it costs nothing.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use verdict::record::TimingStep;
use verdict::transcript::{Event, Kind, Open, Send};
use wire::{IdKey, Limits};

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

/// A time in which a session was busy without a pause.
#[derive(Debug)]
struct Busy<'e> {
    /// The time up to each event, what it was waited for, and under which name.
    parts: Vec<(Moment, Moment, Spent, &'e str)>,
    from: Moment,
    to: Moment,
    name: &'e str,
}

/// The critical path of a run, the longest step first; the sum is `wall`. `own` has for each event the processor time in microseconds
/// that the tester had used when it was recorded.
pub(crate) fn critical_path(events: &[Event], own: &[u64], wall: Duration) -> Vec<TimingStep> {
    let mut steps: BTreeMap<&str, TimingStep> = BTreeMap::new();
    let mut add = |name, from: Moment, to: Moment, spent| {
        let step = steps.entry(name).or_default();
        let all = to.at.saturating_sub(from.at);
        let own = if spent == Spent::Own { all } else { to.own.saturating_sub(from.own).min(all) };
        step.own_us += own;
        let rest = match spent {
            Spent::Starting => &mut step.starting_us,
            Spent::Answer => &mut step.waiting_us,
            Spent::Silence | Spent::Own => &mut step.silence_us,
        };
        *rest += all - own;
    };
    let moment = |event: &Event| Moment { at: event.at_us, own: own.get(event.seq as usize).copied().unwrap_or(0) };
    let busy = busy(events, moment);
    let end = events.last().map(moment).unwrap_or_default();
    let wall = u64::try_from(wall.as_micros()).unwrap_or(u64::MAX);
    add(REPORTS, end, Moment { at: wall.max(end.at), own: u64::MAX }, Spent::Own);
    let (mut now, mut name) = (end, ENDING);
    while let Some(last) =
        busy.iter().filter(|busy| busy.from.at < now.at && busy.to.at <= now.at + NEXT).max_by_key(|busy| busy.to.at)
    {
        let until = Moment { at: last.to.at.min(now.at), own: last.to.own.min(now.own) };
        add(name, until, now, Spent::Silence);
        for (from, to, spent, name) in &last.parts {
            let to = Moment { at: to.at.min(now.at), own: to.own.min(now.own) };
            add(name, *from, to, *spent);
        }
        (now, name) = (last.from, last.name);
    }
    add(name, Moment::default(), now, Spent::Silence);
    let mut steps: Vec<TimingStep> =
        steps.into_iter().map(|(name, step)| TimingStep { name: name.to_owned(), ..step }).collect();
    steps.retain(|step| step.all_us() > 0);
    steps.sort_by_key(|step| std::cmp::Reverse(step.all_us()));
    steps
}

/// What a session has waited for longest, if that is longer than `long`: which, what for, and since when.
pub(crate) fn longest_wait(events: &[Event], now: Duration, long: Duration) -> Option<(String, String, Duration)> {
    let mut ways: HashMap<u32, Way<'_>> = HashMap::new();
    for event in events {
        match &event.kind {
            Kind::Open(open) => {
                ways.insert(event.session, Way::new(open, Moment { at: event.at_us, own: 0 }));
                if let Some(before) = open.continues {
                    ways.remove(&before);
                }
            }
            Kind::Exit(_) => {
                ways.remove(&event.session);
            }
            _ => {
                if let Some(way) = ways.get_mut(&event.session) {
                    way.take(event);
                }
            }
        }
    }
    let age = |at: u64| now.saturating_sub(Duration::from_micros(at));
    let waits = ways.values().filter_map(|way| {
        let (at, what) = way.waits_for()?;
        Some((way.name.to_owned(), what, age(at)))
    });
    waits.filter(|(_, _, age)| *age >= long).max_by_key(|(_, _, age)| *age)
}

/// What is known of a session on the way through its events.
struct Way<'e> {
    name: &'e str,
    starting: bool,
    /// What is owed an answer: since when, and the method.
    open: HashMap<IdKey, (u64, String)>,
    last: Moment,
    busy: Option<Busy<'e>>,
}

/// When each session was busy. The end of a process is no business of its session any more.
fn busy(events: &[Event], moment: impl Fn(&Event) -> Moment) -> Vec<Busy<'_>> {
    let (mut ways, mut all): (HashMap<u32, Way<'_>>, Vec<Busy<'_>>) = (HashMap::new(), Vec::new());
    for event in events {
        let now = moment(event);
        if let Kind::Open(open) = &event.kind {
            ways.insert(event.session, Way::new(open, now));
            continue;
        }
        let Some(way) =
            ways.get_mut(&event.session).filter(|_| !matches!(event.kind, Kind::Exit(_) | Kind::Stderr { .. }))
        else {
            continue;
        };
        way.passes(now, &mut all);
        way.take(event);
    }
    all.extend(ways.into_values().filter_map(|way| way.busy));
    all.sort_by_key(|busy| (busy.to.at, busy.from.at));
    all
}

impl<'e> Way<'e> {
    fn new(open: &'e Open, now: Moment) -> Self {
        let starting = open.continues.is_none();
        Self { name: &open.purpose, starting, open: HashMap::new(), last: now, busy: None }
    }

    fn waits_for(&self) -> Option<(u64, String)> {
        let (at, method) = self.open.values().min_by_key(|(at, _)| *at)?;
        Some((*at, if self.starting { "a process to start".to_owned() } else { format!("the answer to {method}") }))
    }

    /// The time up to now belongs to what it was waited for.
    fn passes(&mut self, now: Moment, all: &mut Vec<Busy<'e>>) {
        let spent = match () {
            () if self.starting => Spent::Starting,
            () if !self.open.is_empty() => Spent::Answer,
            () => Spent::Silence,
        };
        if spent == Spent::Silence && now.at.saturating_sub(self.last.at) > PAUSE {
            all.extend(self.busy.take());
        } else {
            let (last, name) = (self.last, self.name);
            let busy = self.busy.get_or_insert_with(|| Busy { parts: Vec::new(), from: last, to: last, name });
            busy.parts.push((last, now, spent, name));
            busy.to = now;
        }
        self.last = now;
    }

    fn take(&mut self, event: &'e Event) {
        match &event.kind {
            Kind::Send(send) => {
                if let Some(probe) = &send.probe {
                    self.name = &probe.scenario;
                }
                self.open.extend(asked(send).into_iter().map(|(id, method)| (id, (event.at_us, method))));
            }
            Kind::Receive(receive) => {
                self.starting = false;
                for (id, _) in ids(&receive.text, wire::Message::is_answer) {
                    self.open.remove(&id);
                }
            }
            Kind::GaveUp { .. } | Kind::Settled { .. } => self.open.clear(),
            _ => {}
        }
    }
}

fn asked(send: &Send) -> Vec<(IdKey, String)> {
    ids(&send.text, |message| message.kind == wire::Kind::Request)
}

fn ids(text: &str, like: impl Fn(&wire::Message) -> bool) -> Vec<(IdKey, String)> {
    let parsed = wire::parse(text.as_bytes(), &Limits::default());
    let like = parsed.messages().iter().filter(|message| like(message));
    let named =
        |message: &wire::Message| Some((message.id.as_ref()?.key()?, message.method().unwrap_or_default().to_owned()));
    like.filter_map(named).collect()
}

#[cfg(test)]
mod tests {
    use verdict::Transport;
    use verdict::transcript::{Receive, Via};

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

    fn path(happened: Vec<(u64, u32, Kind)>, wall: u64) -> Vec<(String, [u64; 4])> {
        let events = events(happened);
        let parts =
            |step: &TimingStep| [step.starting_us, step.waiting_us, step.silence_us, step.own_us].map(|us| us / 1_000);
        let steps = critical_path(&events, &[], Duration::from_millis(wall));
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
        let waits = |now: u64| longest_wait(&events, Duration::from_millis(now), Duration::from_secs(2));
        assert_eq!(waits(2_100), None);
        let expected = ("main".to_owned(), "the answer to ping".to_owned(), Duration::from_millis(2_100));
        assert_eq!(waits(2_300), Some(expected));
        let starting = longest_wait(&events[..2], Duration::from_secs(3), Duration::from_secs(2));
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
