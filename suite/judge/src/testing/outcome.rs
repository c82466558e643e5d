//! The judge's verdicts about a transcript.

use super::*;

impl Script {
    /// Looks at the transcript as rules do.
    pub(crate) fn look<T>(&self, look: impl FnOnce(&crate::View<'_>) -> T) -> T {
        look(&crate::View::new(&self.events, &self.criteria))
    }

    /// Returns the outcome of judging the transcript.
    pub(crate) fn examined(&self) -> crate::Judged {
        crate::examine(&self.events, &self.criteria, None)
    }

    /// The verdict on one requirement.
    pub(crate) fn verdict(&self, id: &str) -> Verdict {
        judge(&self.events, &self.criteria)
            .into_iter()
            .find(|verdict| verdict.id == id)
            .unwrap_or_else(|| panic!("{id} is not judged in {}", self.criteria.revision))
    }

    /// The status of one requirement.
    pub(crate) fn status_of(&self, id: &str) -> Status {
        self.verdict(id).status
    }

    /// The requirements that fail, to show that nothing else does. Good practice is left out: a server in a test has hardly a
    /// name.
    pub(crate) fn fails(&self) -> Vec<&'static str> {
        let verdicts = judge(&self.events, &self.criteria);
        let broken = verdicts.into_iter().filter(|verdict| verdict.status == Status::Fail).map(|verdict| verdict.id);
        broken.filter(|id| !id.starts_with("practice.")).collect()
    }

    /// The requirements of one area that fail: what other areas make of the same traffic is theirs to test.
    pub(crate) fn fails_in(&self, area: &str) -> Vec<&'static str> {
        self.fails().into_iter().filter(|id| id.split('.').next() == Some(area)).collect()
    }
}
