//! `tasks/list`: all of a client's tasks, on as many pages as it takes.
//!
//! Tasks that `tasks/get` gave before the walk and still gives after it must have been listed.

use serde_json::Value;
use verdict::Intent;

use super::ledger::{Source, Task, tasks};
use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule {
    name: "tasks/list",
    judges: &["tasks.list.next-cursor-when-more", "tasks.list.complete", "tasks.list.pagination"],
    judge,
};

const MORE: &str = RULE.judges[0];
const COMPLETE: &str = RULE.judges[1];
const PAGES: &str = RULE.judges[2];
/// Tasks on one page that are worth a word.
const LONG: usize = 100;

fn judge(view: &View<'_>, collector: &mut Collector) {
    let tasks = tasks(view);
    for session in view.judged() {
        let walk: Vec<Case<'_>> = view.probes(Intent::TasksWalk).filter(|case| case.session.id == session.id).collect();
        let own: Vec<&Task<'_>> = tasks.iter().filter(|task| task.session.id == session.id).collect();
        // The first, if it came to its end; scenarios walk once.
        let whole = walk.last().is_some_and(|last| last.result().is_some_and(|page| page.get("nextCursor").is_none()));
        if whole && walk.iter().all(|case| case.result().is_some()) {
            compare(&walk, &own, collector);
        }
        for case in &walk {
            check_pages(case, collector);
        }
    }
}

fn compare(walk: &[Case<'_>], tasks: &[&Task<'_>], collector: &mut Collector) {
    let (Some(first), Some(last)) = (walk.first(), walk.last()) else { return };
    let (begin, end) = (first.exchange.seq, last.answer().map_or(u32::MAX, |answer| answer.seq));
    let got = |task: &Task<'_>, at: &dyn Fn(u32, u32) -> bool| {
        task.seen.iter().any(|seen| seen.from == Source::Get && at(seen.sent, seen.came))
    };
    let known = |task: &&&Task<'_>| got(task, &|_, came| came < begin) && got(task, &|sent, _| sent > end);
    let known: Vec<&&Task<'_>> = tasks.iter().filter(known).collect();
    let listed: Vec<bool> = known.iter().map(|task| is_listed(walk, task.id)).collect();
    let missing = listed.iter().filter(|listed| !**listed).count();
    if known.is_empty() {
        return;
    }
    if missing == 0 {
        collector.witness(COMPLETE);
        return if known.len() > 1 {
            collector.witness(MORE)
        };
    }
    let actual = format!("{missing} of {} tasks are on no page", known.len());
    // What is missing lies at one end of the list: it was cut off.
    let turns = listed.windows(2).filter(|pair| pair[0] != pair[1]).count();
    let cut = turns == 1 && missing > 1;
    let (id, message, expected) = if cut {
        let message =
            "tasks/list ends without nextCursor although there are more tasks, so clients never see the rest.";
        (MORE, message, "nextCursor, until all tasks are listed")
    } else {
        let message =
            "A task that tasks/get returns is on no page of tasks/list, so clients that come back do not find it.";
        (COMPLETE, message, "every task that tasks/get returns")
    };
    let mut finding = last.finding(message, expected);
    finding.actual = actual;
    collector.fail(id, finding);
}

fn is_listed(walk: &[Case<'_>], id: &str) -> bool {
    let mut entries = walk.iter().filter_map(|case| case.result()?.get("tasks")?.as_array()).flatten();
    entries.any(|entry| entry.get("taskId").and_then(Value::as_str) == Some(id))
}

fn check_pages(case: &Case<'_>, collector: &mut Collector) {
    let Some(result) = case.result() else { return };
    let count = result.get("tasks").and_then(Value::as_array).map_or(0, Vec::len);
    if result.get("nextCursor").is_some() {
        collector.witness(PAGES);
    } else if count >= LONG {
        collector.note(PAGES, format!("{LONG} or more tasks are listed on one page"));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use verdict::Status;

    use super::super::tale::{made, refusal, start, task};
    use super::*;
    use crate::testing::Script;

    const IDS: [&str; 4] = ["0f3c1b7e9d5a4286", "9d5a42860f3c1b7e", "4f1e2d3c4b5a6978", "b7e9d5a42860f3c1"];

    fn gets(script: Script, gone: &[&str]) -> Script {
        IDS.iter().fold(script, |script, id| {
            let answer = if gone.contains(id) { refusal(-32602) } else { json!({"result": task(id, "completed")}) };
            script.plain("tasks/get", json!({"taskId": id}), answer)
        })
    }

    fn page(script: Script, params: Value, ids: &[&str], next: Option<&str>) -> Script {
        let mut result = json!({"tasks": ids.iter().map(|id| task(id, "completed")).collect::<Vec<_>>()});
        if let Some(next) = next {
            result["nextCursor"] = json!(next);
        }
        script.probe(Intent::TasksWalk, "tasks/list", params, json!({"result": result}))
    }

    fn walk(pages: &[&[&str]], gone: &[&str]) -> Script {
        let mut script = gets(IDS.iter().fold(start(), |script, id| made(script, id, false)), &[]);
        for (at, ids) in pages.iter().enumerate() {
            let params = if at == 0 { json!({}) } else { json!({"cursor": format!("{at}")}) };
            let next = (at + 1 < pages.len()).then(|| format!("{}", at + 1));
            script = page(script, params, ids, next.as_deref());
        }
        gets(script, gone)
    }

    #[test]
    fn all_tasks_are_on_some_page() {
        let good = walk(&[&IDS[..2], &IDS[2..]], &[]);
        assert_eq!((good.status_of(COMPLETE), good.status_of(MORE)), (Status::Pass, Status::Pass));
        assert_eq!(walk(&[&[IDS[0], IDS[1], IDS[3]]], &[]).fails(), [COMPLETE]);
        assert_eq!(walk(&[&[]], &[]).fails(), [COMPLETE]);
    }

    #[test]
    fn a_list_that_is_cut_off_has_a_cursor() {
        assert_eq!(walk(&[&IDS[..2]], &[]).fails(), [MORE]);
        assert_eq!(walk(&[&IDS[2..]], &[]).fails(), [MORE]);
    }

    #[test]
    fn what_is_forgotten_meanwhile_need_not_be_listed() {
        assert!(walk(&[&IDS[..2]], &IDS[2..]).fails().is_empty());
    }

    #[test]
    fn long_pages_are_noted() {
        assert_eq!(walk(&[&IDS[..2], &IDS[2..]], &[]).status_of(PAGES), Status::Pass);
        let ids: Vec<String> = (0..LONG).map(|at| format!("0f3c1b7e9d5a4286{at:04}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let long = page(start(), json!({}), &ids, None).verdict(PAGES);
        assert_eq!((long.status, long.notes.len()), (Status::NotObserved, 1));
    }
}
