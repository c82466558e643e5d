//! Where the time went: the critical path of each revision, the longest step first.

use verdict::record::{Record, Report, TimingStep};

/// Renders the critical path of a run.
#[must_use]
pub fn timing(report: &Report) -> String {
    let mut text = String::new();
    for record in report.records() {
        text.push_str(&table(record));
    }
    text
}

/// A step shorter than this, in microseconds, shares a line with its like.
const SHORT: u64 = 5_000;

fn table(record: &Record) -> String {
    let steps = &record.timing.steps;
    let (long, short): (Vec<_>, Vec<_>) = steps.iter().partition(|step| step.all_us() >= SHORT);
    let shorter = sum(counted(short.len() as u64, "shorter step", "shorter steps"), &short);
    let all = sum("in all".to_owned(), &steps.iter().collect::<Vec<_>>());

    let head = ["time", "starting", "answers", "silence", "own"].map(|name| format!("{name:>10}")).concat();
    let mut text =
        format!("Critical path in {} (what goes on beside it costs no time)\n\n{head}  step\n", record.protocol);
    let shorter = (!short.is_empty()).then_some(&shorter);
    for step in long.into_iter().chain(shorter).chain([&all]) {
        let parts = [step.all_us(), step.starting_us, step.answers_us, step.silence_us, step.own_us];
        text.push_str(&format!("{}  {}\n", parts.map(seconds).concat(), crate::style::printable(&step.name)));
    }
    let opened = counted(record.timing.spawns, "process or connection was", "processes or connections were");
    text.push_str(&format!("\n{opened} opened.\n"));
    text
}

fn sum(name: String, steps: &[&TimingStep]) -> TimingStep {
    let part = |part: fn(&TimingStep) -> u64| steps.iter().map(|step| part(step)).sum();
    TimingStep {
        name,
        starting_us: part(|step| step.starting_us),
        answers_us: part(|step| step.answers_us),
        silence_us: part(|step| step.silence_us),
        own_us: part(|step| step.own_us),
    }
}

fn counted(count: u64, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// Seconds in a column; nothing where there is nothing.
fn seconds(us: u64) -> String {
    let hundredths = (us + 5_000) / 10_000;
    if hundredths == 0 {
        format!("{:>10}", "-")
    } else {
        format!("{:>8}.{:02}s", hundredths / 100, hundredths % 100).split_off(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parts_stand_in_columns_and_the_sum_below() {
        let step = |name: &str, starting, answers| TimingStep {
            name: name.to_owned(),
            starting_us: starting,
            answers_us: answers,
            silence_us: 0,
            own_us: 12_000,
        };
        let brief = |name: &str| TimingStep { name: name.to_owned(), silence_us: 2_600, ..TimingStep::default() };
        let mut record = crate::testing::single();
        record.timing.spawns = 7;
        record.timing.steps = vec![
            step("stdio/framing", 1_230_000, 20_000),
            step("main", 0, 104_000),
            brief("flow"),
            brief("ping/answers"),
        ];
        insta::assert_snapshot!(timing(&Report::One(Box::new(record))));
    }
}
