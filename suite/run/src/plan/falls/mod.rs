//! What the server fell over, in whatever session: sent again to fresh processes, and shown with as few messages as it takes. What
//! does not fell a fresh process is withdrawn, so that nothing is blamed for it that only happened to be outstanding.

mod replay;
mod shown;

use std::time::{Duration, Instant};

use judge::{Cause, Fallen, Judged, Seen, called_tool, is_malformed, is_ordinary, message_key};
use serde::de::IgnoredAny;
use serde_json::{Value, json};
use verdict::transcript::{Event, Kind, Probe, connection};
use verdict::{Intent, Level, Status, Transport, Verdict};

use super::Plan;
use crate::progress::Progress;
use crate::scenario::Cx;
use replay::Replay;

/// Falls that are looked into; a server that falls more often falls over the same, or everything.
const FALLS: usize = 6;
/// Time for all of them.
const TIME: Duration = Duration::from_secs(12);
/// Messages tried by themselves before any others.
const FIRST: usize = 3;

/// Messages that may be needed so that the last of them fells a process.
const BEHIND: usize = 6;

/// The scenario under which what is found here is recorded.
const NAME: &str = "plan/falls";

/// A message as it was sent before.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sent {
    text: String,
    probe: Option<Probe>,
    /// When, since the run began.
    at: Duration,
    /// It is owed an answer.
    asks: bool,
    /// A handshake begins with it.
    opens: bool,
    /// The tool that it calls.
    tool: Option<String>,
}

impl Sent {
    /// What the transcript has, if it is something sent.
    fn of(event: &Event) -> Option<Self> {
        let Kind::Send(send) = &event.kind else { return None };
        // Arguments are sent that are larger than what is read.
        let parsed =
            wire::parse_sent(send.text.as_bytes(), &wire::Limits { bytes: 80 << 20, ..wire::Limits::default() });
        let messages = parsed.messages();
        Some(Self {
            text: send.text.clone(),
            probe: send.probe.clone(),
            at: Duration::from_micros(event.at_us),
            asks: messages.iter().any(|message| message.kind == wire::Kind::Request),
            opens: messages.iter().any(|message| message.method() == Some("initialize")),
            tool: messages.first().and_then(called_tool).map(str::to_owned),
        })
    }

    fn key(&self) -> String {
        message_key(&self.text)
    }

    /// It breaks the schema on purpose: what comes of it is at the level that the text gives it.
    fn is_malformed(&self) -> bool {
        self.probe.as_ref().is_some_and(is_malformed)
    }

    /// It is no JSON either. Half a surrogate pair is a matter of its own.
    fn is_unreadable(&self) -> bool {
        serde_json::from_str::<IgnoredAny>(&self.text).is_err()
    }

    /// Whether nobody has to find out what another message did: it is the same, or calls a tool that is known to silence the server.
    fn explains(&self, other: &Self, ended: bool) -> bool {
        self.key() == other.key() || (!ended && self.tool.is_some() && self.tool == other.tool)
    }
}

impl Plan<'_> {
    /// Whether anything was sent, so that the transcript has to be judged again.
    pub(super) async fn reproduce(&self, cx: &Cx, judged: &Judged) -> bool {
        let unclear = |fallen: &&Fallen| matches!(fallen.cause, Cause::Unknown | Cause::Seen);
        let unknown: Vec<&Fallen> = judged.falls.iter().filter(unclear).collect();
        let doubtful = judged.seen.iter().any(|seen| seen.ended && !seen.fresh);
        if (unknown.is_empty() && !doubtful) || cx.profile.transport != Transport::Stdio {
            return false;
        }
        (self.tell)(Progress::Phase("looking for what the server fell over"));
        let deadline = Instant::now() + TIME;
        let mut search = Search { cx, deadline, judged: &judged.verdicts, seen: Vec::new() };
        search.seen = search.confirmed(&judged.seen).await;
        let (mut found, mut left): (Vec<Sent>, usize) = (Vec::new(), FALLS);
        let mut unrepeated = false;
        for fallen in unknown {
            let sent = search.sent(&fallen.before);
            if left == 0 || sent.iter().any(|sent| found.iter().any(|found| found.explains(sent, fallen.ended))) {
                continue;
            }
            left -= 1;
            let replay = search.replay(fallen);
            match search.culprits(fallen, &sent, &replay).await {
                Some(culprits) => {
                    found.extend(culprits.iter().cloned());
                    if culprits.iter().any(|sent| sent.is_malformed() || sent.is_unreadable()) {
                        search.note(fallen.session, Intent::Reproduced, json!({"of": "malformed"}));
                    } else if !search.is_blamed(&culprits) {
                        search.show(culprits, &replay).await;
                    }
                }
                // Of what there was no time to try nothing is known.
                None if search.is_over() => break,
                None => {
                    search.withdraw(fallen.session);
                    unrepeated |= fallen.properly && !fallen.idled;
                }
            }
        }
        if unrepeated {
            // A session of the run that ended so may have done so whenever it ended properly.
            cx.ends_idle(Duration::ZERO).await;
        }
        true
    }
}

/// The search for what felled a server.
struct Search<'c> {
    cx: &'c Cx,
    deadline: Instant,
    judged: &'c [Verdict],
    /// What fells a process that is sent it alone.
    seen: Vec<String>,
}

impl Search<'_> {
    fn is_over(&self) -> bool {
        Instant::now() >= self.deadline
    }

    /// What the transcript has at these positions.
    fn sent(&self, seqs: &[u32]) -> Vec<Sent> {
        let at = |seq: &u32| usize::try_from(*seq).ok();
        let recorder = self.cx.opener.recorder();
        recorder.with(|events| seqs.iter().filter_map(|seq| Sent::of(events.get(at(seq)?)?)).collect())
    }

    /// Sends to a fresh process what felled one that was sent one message at a time: it may have fallen over an earlier one. Gives
    /// what did it for certain, and withdraws the rest.
    async fn confirmed(&self, seen: &[Seen]) -> Vec<String> {
        let mut confirmed = Vec::new();
        for one in seen {
            let sent = self.sent(&[one.seq]);
            let replay = Replay::new(self.cx, one.ended, one.at, self.opening(one.session, &[one.seq]));
            let certain = one.fresh || !one.ended || confirmed.contains(&one.key);
            if certain || replay.falls(&sent).await || self.falls_behind(one, &replay).await {
                confirmed.push(one.key.clone());
            } else if !self.is_over() {
                self.withdraw(one.session);
            }
        }
        confirmed
    }

    /// Whether a message fells a process that was sent what came before it, and without it that does not.
    async fn falls_behind(&self, seen: &Seen, replay: &Replay<'_>) -> bool {
        let mut before: Vec<u32> = self.cx.opener.recorder().with(|events| {
            let sessions = connection(events, seen.session);
            let own = events.iter().filter(|event| sessions.contains(&event.session) && event.seq <= seen.seq);
            let probes = own.filter(|event| matches!(&event.kind, Kind::Send(send) if send.probe.is_some()));
            probes.map(|event| event.seq).collect()
        });
        let before = self.sent(&before.split_off(before.len().saturating_sub(BEHIND)));
        let Some((_, rest)) = before.split_last() else { return false };
        !rest.is_empty() && !self.is_over() && replay.falls(&before).await && !replay.falls(rest).await
    }

    /// Whatever was outstanding when a session fell did not fell it.
    fn withdraw(&self, session: u32) {
        self.note(session, Intent::Unrepeated, json!({}));
    }

    /// Adds to a session that has ended what was found out about it.
    fn note(&self, session: u32, intent: Intent, about: Value) {
        self.cx.opener.recorder().add(session, Kind::Probe(Probe::new(NAME, intent, about)));
    }

    /// How sessions like the one that fell are opened again.
    fn replay(&self, fallen: &Fallen) -> Replay<'_> {
        Replay::new(self.cx, fallen.ended, fallen.at, self.opening(fallen.session, &fallen.open))
    }

    /// The messages with which the connection of a session was opened. An unusual `initialize` opens it too, unless the server may have
    /// fallen over it.
    fn opening(&self, session: u32, suspects: &[u32]) -> Vec<Sent> {
        self.cx.opener.recorder().with(|events| {
            let first = connection(events, session).last().copied();
            let own = events.iter().filter(|event| Some(event.session) == first);
            let sent = own.filter_map(|event| Some((event.seq, Sent::of(event)?))).enumerate();
            let opens = |at: usize, seq: u32| at == 0 && !suspects.contains(&seq);
            let opening = sent.take_while(|(at, (seq, sent))| sent.probe.is_none() || (opens(*at, *seq) && sent.opens));
            opening.map(|(_, (_, sent))| sent).collect()
        })
    }

    /// The messages that fell a fresh process: one if that is enough; none at all if it falls without any.
    async fn culprits(&self, fallen: &Fallen, sent: &[Sent], replay: &Replay<'_>) -> Option<Vec<Sent>> {
        let open = self.sent(&fallen.open);
        // What felled a process that was sent one message at a time is the likeliest.
        if let Some(seen) = open.iter().find(|sent| self.seen.contains(&sent.key())) {
            return Some(vec![seen.clone()]);
        }
        // Where nothing was answered after the opening, that may be what did it.
        if open.len() >= sent.iter().filter(|sent| !sent.opens).count() && replay.falls(&[]).await {
            return Some(Vec::new());
        }
        for one in open.iter().filter(|sent| sent.asks && !sent.is_malformed()).take(FIRST) {
            if !self.is_over() && replay.falls(std::slice::from_ref(one)).await {
                return Some(vec![one.clone()]);
            }
        }
        let quiet: Vec<Sent> = sent.iter().filter(|sent| !sent.asks && !sent.is_malformed()).cloned().collect();
        if !quiet.is_empty() && !self.is_over() && replay.falls(&quiet).await {
            return Some(self.narrowed(quiet, replay).await);
        }
        if self.is_over() || !replay.falls(sent).await {
            return None;
        }
        Some(self.narrowed(sent.to_vec(), replay).await)
    }

    /// As few of these messages as are enough.
    async fn narrowed(&self, mut sent: Vec<Sent>, replay: &Replay<'_>) -> Vec<Sent> {
        if replay.falls(&[]).await {
            return Vec::new();
        }
        let mut parts = 2;
        while sent.len() > 1 && parts <= sent.len() && !self.is_over() {
            let size = sent.len().div_ceil(parts);
            let chunks: Vec<&[Sent]> = sent.chunks(size).collect();
            let mut kept = None;
            for (at, chunk) in chunks.iter().enumerate() {
                let rest: Vec<Sent> = chunks
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != at)
                    .flat_map(|(_, rest)| rest.to_vec())
                    .collect();
                let both = [chunk.to_vec(), rest];
                let (one, other) = tokio::join!(replay.falls(&both[0]), replay.falls(&both[1]));
                let [chunk, rest] = both;
                kept = if one { Some(chunk) } else { other.then_some(rest) };
                if kept.is_some() || parts == 2 || self.is_over() {
                    break;
                }
            }
            match kept {
                Some(fewer) => (sent, parts) = (fewer, 2),
                None => parts *= 2,
            }
        }
        sent
    }

    /// Whether a requirement about just this message says so already.
    fn is_blamed(&self, culprits: &[Sent]) -> bool {
        let [culprit] = culprits else { return false };
        let particular = culprit.probe.as_ref().is_some_and(|probe| !is_ordinary(probe.intent));
        let key = culprit.key();
        let shows = |line: &String| line.strip_prefix("> ").is_some_and(|text| message_key(text) == key);
        let says = |verdict: &&Verdict| {
            verdict.status == Status::Fail
                && verdict.level <= Level::Should
                && verdict.findings.iter().any(|finding| finding.wire.iter().any(shows))
        };
        particular && self.judged.iter().any(|verdict| says(&verdict))
    }
}
