//! `mcp-conform run`: resolves a plan, drives the server, judges it, and hands the report to the outputs and gates.

mod assemble;
mod baseline;
mod counterexamples;
mod flags;
mod gates;
mod outputs;
mod plan;
mod snapshots;

use std::process::ExitCode;

use run::{Finished, Trouble};
use verdict::exit;

use crate::config::apply_levels;
use crate::failure::Failure;
use crate::output;
use crate::progress::ProgressLine;
use crate::sdks::attribute_all;

pub(crate) use flags::Args;
use plan::Plan;

/// Tests a server and reports.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let plan = Plan::new(args)?;
    let regressions = plan.regressions.still_failing(&plan.target, &plan.options)?;
    regressions.iter().for_each(|message| output::eprint(message));
    let progress = ProgressLine::new(plan.outputs.quiet);
    let finished = run::drive(&plan.target, &plan.options, &|step| progress.show(&step));
    progress.clear();
    match finished {
        Ok(finished) => conclude(&plan, finished, regressions.len()),
        Err(trouble) => give_up(&plan, trouble),
    }
}

/// Reports what the run found and returns its exit code.
fn conclude(plan: &Plan, mut finished: Finished, regressions: usize) -> Result<ExitCode, Failure> {
    let options = &plan.options;
    if finished.records.is_empty() {
        return give_up(plan, Trouble::Interrupted);
    }
    let interrupted = finished.interrupted;
    let mut transcripts = std::mem::take(&mut finished.transcripts);
    if options.embedded && !plan.transcript {
        transcripts.clear();
    }
    let mut report = assemble::report(options.protocol, &plan.target, finished);
    apply_levels(&plan.levels, &mut report);
    report.records_mut().iter_mut().for_each(|record| record.causes = judge::causes_of(record));
    attribute_all(&mut report, plan.sdk.as_ref(), plan.gates.bar.accept_sdk);
    plan.hosts.add_to(&mut report);
    let accepted = plan.gates.accept_known(&mut report, interrupted)?;
    plan.outputs.write_files(&report, &transcripts)?;
    plan.counterexamples.update(&report)?;
    plan.outputs.print(&report)?;
    if let Some(accepted) = accepted.as_ref().filter(|_| !interrupted) {
        accepted.print()?;
    }
    Ok(ExitCode::from(plan.gates.check(&report, accepted.as_ref(), interrupted, regressions)?))
}

/// Reports that nothing could be judged. Programs that read JSON still get a document.
fn give_up(plan: &Plan, trouble: Trouble) -> Result<ExitCode, Failure> {
    if trouble.exit_code() == exit::UNJUDGED {
        let report = assemble::unjudged(plan.options.protocol, &plan.target, &trouble.to_string());
        plan.outputs.write_files(&report, &[])?;
        plan.outputs.print_unjudged(&report)?;
    }
    Err(trouble.into())
}
