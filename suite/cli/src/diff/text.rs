//! Renders the comparison as text.

use report::fold;

use super::Diff;
use super::causes::{Causes, Named};
use super::findings::{Finding, Findings};
use super::tools::{Changed, Tools};

/// Renders the comparison as text, folded to `width` columns where words allow.
pub(crate) fn text(diff: &Diff, width: usize) -> String {
    let mut out = Out { text: String::new(), width };
    out.line(0, &format!("old  {}  ({})", diff.old.file, diff.old.server));
    out.line(0, &format!("new  {}  ({})", diff.new.file, diff.new.server));
    for note in &diff.not_compared {
        out.line(0, &format!("note: {note}"));
    }
    for revision in &diff.revisions_removed {
        out.block("BREAKING", &format!("revision {revision} is no longer supported"));
    }
    for revision in &diff.revisions_added {
        out.block("added", &format!("revision {revision} is now supported"));
    }
    if let Some(tools) = &diff.tools {
        out.tools(tools);
    }
    for findings in &diff.findings {
        out.findings(findings, diff.causes_of(findings));
    }
    out.text.push('\n');
    match diff.no_difference() {
        Some(told) => out.line(0, told),
        None => out.line(0, &summary(diff)),
    }
    out.text
}

/// Returns a one-line summary.
pub(super) fn summary(diff: &Diff) -> String {
    let sum = |count: fn(&Findings) -> usize| diff.findings.iter().map(count).sum::<usize>();
    let (new, fixed) = (sum(|one| one.new.len()), sum(|one| one.fixed.len()));
    let (changed, unseen) = (sum(|one| one.changed.len()), sum(|one| one.unseen.len()));
    let breaking = match diff.breaking {
        0 => "no breaking change".to_owned(),
        1 => "1 breaking change".to_owned(),
        many => format!("{many} breaking changes"),
    };
    let causes = |count: fn(&Causes) -> usize| diff.causes.iter().map(count).sum::<usize>();
    let (added, mended) = (causes(|one| one.new.len()), causes(|one| one.mended.len()));
    let causes = if diff.causes.is_empty() { String::new() } else { format!("causes: {mended} mended, {added} new; ") };
    format!("{breaking}; {causes}findings: {new} new, {fixed} fixed, {changed} changed, {unseen} no longer judged")
}

/// Width of the margin, in columns.
const MARGIN: usize = 10;

struct Out {
    text: String,
    width: usize,
}

impl Out {
    fn line(&mut self, indent: usize, line: &str) {
        self.text.push_str(&format!("{}{}\n", " ".repeat(indent), fold(line, self.width, indent)));
    }

    fn heading(&mut self, line: &str) {
        self.text.push_str(&format!("\n{line}\n"));
    }

    /// Writes a word in the margin and a text beside it.
    fn block(&mut self, word: &str, line: &str) {
        self.text.push_str(&format!("{word:<MARGIN$}{}\n", fold(line, self.width, MARGIN)));
    }

    fn tools(&mut self, tools: &Tools) {
        if tools.is_empty() {
            return;
        }
        self.heading("Tools");
        for name in &tools.removed {
            self.block("BREAKING", &format!("{name} was removed"));
        }
        for changed in &tools.changed {
            self.changed_tool(changed);
        }
        for name in &tools.added {
            self.block("added", name);
        }
    }

    fn changed_tool(&mut self, changed: &Changed) {
        for breaking in &changed.breaking {
            self.block("BREAKING", &format!("{} {}: {}", changed.tool, breaking.member, breaking.message));
            if let Some(instance) = &breaking.instance {
                self.line(MARGIN, &instance.to_string());
            }
        }
        for undecided in &changed.undecided {
            self.block("unknown", &format!("{} {undecided}", changed.tool));
        }
        if !changed.compatible.is_empty() {
            self.block("changed", &format!("{}: {}", changed.tool, changed.compatible.join(", ")));
        }
    }

    fn findings(&mut self, findings: &Findings, causes: Option<&Causes>) {
        if findings.is_empty() {
            return;
        }
        self.heading(&format!("Findings in {}", findings.protocol));
        if let Some(causes) = causes {
            self.causes("mended", &causes.mended);
            self.causes("new", &causes.new);
        }
        self.list("new", &findings.new);
        self.list("changed", &findings.changed);
        self.list("fixed", &findings.fixed);
        self.list("unseen", &findings.unseen);
        for turn in &findings.statuses {
            let [before, now] = [&turn.before, &turn.now].map(|status| status.replace('_', " "));
            self.block("status", &format!("{}: was {before}, is now {now}", turn.requirement));
        }
    }

    fn causes(&mut self, word: &str, list: &[Named]) {
        for cause in Causes::shared(list) {
            self.block(word, &format!("{} (cause {})", cause.title, cause.id));
            self.line(MARGIN, &format!("breaks    {}", cause.requirements.join(", ")));
        }
    }

    fn list(&mut self, word: &str, findings: &[Finding]) {
        for finding in findings {
            self.block(word, &format!("{} ({})", finding.requirement, finding.level));
            self.line(MARGIN, &finding.finding);
            if let Some(before) = &finding.before {
                self.line(MARGIN, &format!("before    {before}"));
            }
            match &finding.now {
                Some(now) => self.line(MARGIN, &format!("the requirement is now {now}")),
                None if word != "fixed" => self.line(MARGIN, &format!("actual    {}", finding.actual)),
                None => {}
            }
        }
    }
}
