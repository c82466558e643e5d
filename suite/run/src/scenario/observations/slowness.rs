//! A call that takes long enough for something to happen meanwhile: the one that the configuration names, a tool that has a
//! parameter for it, one that was seen to take long, or one that a number in its arguments makes slower.

use std::time::Duration;

use serde_json::{Value, json};

use super::tune::{accepted, numbers};
use super::{LONG, LONGEST, Sample, ToolObservations, looks_slow, one, tuned};
use crate::scenario::Cx;
use crate::scenario::tools::is_repeatable;
use crate::{Arguments, Tool};

/// A tool that takes so long is slow enough.
const ENOUGH: Duration = Duration::from_millis(300);
/// Of a call that took long the first time, so much is to remain the second time: a server warms up.
const AGAIN: Duration = Duration::from_millis(200);
/// How long a call with a number made for it is to take.
const AIM: Duration = Duration::from_millis(700);
/// A number is tried if it makes a call so many times as long, and takes so long.
const LONGER: u32 = 3;
const SHOWS: Duration = Duration::from_millis(10);
/// Numbers that are tried one after the other, until one makes the call longer.
const NUMBERS: [f64; 3] = [5.0, 50.0, 500.0];
/// Properties of which they are tried.
const PROPERTIES: usize = 6;

/// A call that takes a while.
#[derive(Clone, Debug)]
pub(crate) struct SlowCall {
    /// The params of `tools/call`.
    pub(crate) params: Value,
    /// How long it took; none where its arguments ask for about a second.
    took: Option<Duration>,
}

impl SlowCall {
    fn of(name: &str, arguments: &Value, took: Option<Duration>) -> Self {
        Self { params: json!({"name": name, "arguments": arguments}), took }
    }

    /// The name of the tool.
    pub(crate) fn tool(&self) -> &Value {
        &self.params["name"]
    }

    /// At most this long, and no more than a part of what it takes: so many hundredths.
    pub(crate) fn part(&self, longest: Duration, hundredths: u32) -> Duration {
        self.took.map_or(longest, |took| longest.min(took * hundredths / 100))
    }

    /// How long so many of them take that are served one after the other.
    pub(crate) fn in_turn(&self, calls: usize) -> Duration {
        self.took.unwrap_or(Duration::from_secs(1)) * u32::try_from(calls).unwrap_or(u32::MAX)
    }
}

/// The slow call of this server, looked for once.
pub(crate) async fn slow_call(cx: &Cx) -> Option<SlowCall> {
    if let Some(trigger) = &cx.options.triggers.slow {
        return Some(SlowCall::of(&trigger.call, &json!(trigger.arguments), None));
    }
    let told = repeatable(cx).find_map(|tool| {
        let valid = Arguments::of(tool, cx.profile.revision, &cx.options).valid.ok()?;
        Some(SlowCall::of(&tool.name, &tuned(tool, &valid, cx.profile.revision, LONG)?, None))
    });
    if told.is_some() || repeatable(cx).next().is_none() {
        return told;
    }
    let observations = cx.observations().await?;
    observations.slow.get_or_init(|| look(cx, &observations)).await.clone()
}

fn repeatable(cx: &Cx) -> impl Iterator<Item = &Tool> {
    cx.profile.tools.iter().filter(|tool| is_repeatable(tool, &cx.options))
}

async fn look(cx: &Cx, observations: &ToolObservations) -> Option<SlowCall> {
    let _turn = observations.turn().await;
    let ended =
        || observations.samples.iter().filter(|sample| !sample.unended && !sample.failed && sample.asks.is_empty());
    for sample in ended().filter(|sample| sample.took >= ENOUGH) {
        let Some(tool) = tool_of(cx, sample) else { continue };
        let again = one(&observations.session, tool, sample.arguments.clone(), true, LONGEST).await;
        if !again.failed && !again.unended && again.took >= AGAIN {
            return Some(SlowCall::of(&tool.name, &sample.arguments, Some(again.took.min(sample.took))));
        }
    }
    let mut left = PROPERTIES;
    for sample in ended() {
        let Some(tool) = tool_of(cx, sample) else { continue };
        for (property, _) in numbers(tool) {
            if left == 0 || observations.session.is_down() {
                return None;
            }
            left -= 1;
            if let Some(found) = lengthen(cx, observations, tool, sample, property).await {
                return Some(found);
            }
        }
    }
    None
}

fn tool_of<'c>(cx: &'c Cx, sample: &Sample) -> Option<&'c Tool> {
    let own = |tool: &&Tool| tool.name == sample.tool && !looks_slow(tool);
    repeatable(cx).find(own)
}

/// Tries growing numbers; once one makes the call longer, the one that makes it long enough.
async fn lengthen(
    cx: &Cx,
    observations: &ToolObservations,
    tool: &Tool,
    sample: &Sample,
    property: &str,
) -> Option<SlowCall> {
    let usual = sample.took;
    for number in NUMBERS {
        let call = with(cx, tool, &sample.arguments, property, number)?;
        let tried = one(&observations.session, tool, call.clone(), true, LONGEST).await;
        if tried.unended || tried.failed {
            return None;
        }
        if tried.took >= ENOUGH {
            return Some(SlowCall::of(&tool.name, &call, Some(tried.took)));
        }
        if tried.took >= SHOWS && tried.took >= usual * LONGER {
            let number = (number * AIM.as_secs_f64() / tried.took.as_secs_f64()).ceil();
            let call = with(cx, tool, &sample.arguments, property, number)?;
            let tried = one(&observations.session, tool, call.clone(), true, LONGEST).await;
            let enough = !tried.failed && !tried.unended && tried.took >= ENOUGH;
            return enough.then(|| SlowCall::of(&tool.name, &call, Some(tried.took)));
        }
    }
    None
}

/// The arguments with this number, if the schema accepts them.
fn with(cx: &Cx, tool: &Tool, arguments: &Value, property: &str, number: f64) -> Option<Value> {
    let mut arguments = arguments.clone();
    #[expect(clippy::cast_possible_truncation, reason = "it is whole, and below 40,000")]
    let whole = number as i64;
    arguments[property] = json!(whole);
    accepted(tool, arguments, cx.profile.revision)
}
