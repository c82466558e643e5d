//! The reference server, whatever it is told, breaks nothing: neither the server nor a rule may be wrong here.

use mcp_conform_fuzz::{Chance, Harness, Mutator, conversations, opening};
use reference::fuzzing::Conversation;
use verdict::Revision;

fn input(revision: Revision, lines: &[Vec<u8>]) -> Vec<u8> {
    let opening = opening(revision).into_iter().map(String::into_bytes);
    opening.chain(lines.iter().cloned()).collect::<Vec<_>>().join(&b'\n')
}

fn keeps_everything(revision: Revision) {
    let seeds = conversations(revision);
    let mutator = Mutator::new(seeds.iter().flatten()).within(64 << 10);
    let mut chance = Chance::new(1);
    let mutated = (0..30).map(|at| mutator.conversation(&seeds[at % seeds.len()], &mut chance));
    let mut wrong = Vec::new();
    for lines in seeds.iter().cloned().chain(mutated) {
        let input = input(revision, &lines);
        let mut server = Conversation::default();
        let report = Harness::new(revision).converse(&mut |line| server.say(line), &input);
        if !report.findings.is_empty() {
            wrong.push(format!("{report}in\n{}", String::from_utf8_lossy(&input)));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} conversations\n{}",
        wrong.len(),
        wrong.iter().take(5).cloned().collect::<Vec<_>>().join("\n\n")
    );
}

macro_rules! revisions {
    ($($test:ident: $revision:ident;)*) => {
        $(#[test]
        fn $test() {
            keeps_everything(Revision::$revision);
        })*
    };
}

revisions! {
    nothing_is_broken_in_2024_11_05: V2024_11_05;
    nothing_is_broken_in_2025_03_26: V2025_03_26;
    nothing_is_broken_in_2025_06_18: V2025_06_18;
    nothing_is_broken_in_2025_11_25: V2025_11_25;
    nothing_is_broken_in_2026_07_28: V2026_07_28;
}
