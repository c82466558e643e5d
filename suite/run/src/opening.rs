//! How a session is to be opened: for what, as whom, with what declared.

use url::Url;
use verdict::Revision;

use crate::credentials::Who;
use crate::session::Bisection;
use crate::{ClientBehavior, Profile};

/// How a session is to be opened.
#[derive(Clone, Debug)]
pub struct Opening {
    /// What the session is for, as the transcript names it.
    pub purpose: String,
    /// The revision whose client the tester is; a handshake may end in another one.
    pub revision: Revision,
    /// The capabilities that the tester declares.
    pub profile: Profile,
    /// A repetition because evidence was ambiguous.
    pub confirm: bool,
    pub(crate) bisection: Option<Bisection>,
    pub(crate) behavior: ClientBehavior,
    /// Not of the conversation that is judged: only rules about outsiders look at it.
    pub(crate) outside: bool,
    pub(crate) who: Who,
    /// Another place than the target's.
    pub(crate) place: Option<Url>,
    /// Whether that place is another party's server, which is sent none of the user's headers.
    pub(crate) elsewhere: bool,
    pub(crate) env: Vec<(String, String)>,
    /// Variables that the program is not to have.
    pub(crate) without: Vec<String>,
}

impl Opening {
    /// A session for some purpose, with nothing declared.
    #[must_use]
    pub fn new(purpose: impl AsRef<str>, revision: Revision) -> Self {
        Self {
            purpose: purpose.as_ref().to_owned(),
            revision,
            profile: Profile::Bare,
            confirm: false,
            bisection: None,
            behavior: ClientBehavior::default(),
            outside: false,
            who: Who::User,
            place: None,
            elsewhere: false,
            env: Vec::new(),
            without: Vec::new(),
        }
    }

    /// Whether the process is one like any other, spoken to as any client speaks.
    pub(crate) fn is_plain(&self) -> bool {
        !self.outside && self.has_plain_process()
    }

    /// Whether the process is one like any other.
    pub(crate) fn has_plain_process(&self) -> bool {
        !self.elsewhere && self.place.is_none() && self.env.is_empty() && self.without.is_empty()
    }

    /// With everything declared that a client can declare.
    #[must_use]
    pub fn full(mut self) -> Self {
        self.profile = Profile::Full;
        self
    }

    /// With everything declared, and that the model can be offered tools.
    #[must_use]
    pub fn tools(mut self) -> Self {
        self.profile = Profile::Tools;
        self
    }

    /// With elicitation by forms alone.
    #[must_use]
    pub fn forms(mut self) -> Self {
        self.profile = Profile::Forms;
        self
    }

    /// With elicitation by URLs alone.
    #[must_use]
    pub fn urls(mut self) -> Self {
        self.profile = Profile::Urls;
        self
    }

    /// With everything declared, and that what the server asks for can be a task.
    #[must_use]
    pub fn tasks(mut self) -> Self {
        self.profile = Profile::Tasks;
        self
    }

    /// As a repetition.
    #[must_use]
    pub fn confirm(mut self) -> Self {
        self.confirm = true;
        self
    }

    /// With another way to treat the server's own requests.
    #[must_use]
    pub fn behavior(mut self, behavior: ClientBehavior) -> Self {
        self.behavior = behavior;
        self
    }

    /// On stdio with an environment variable set.
    #[must_use]
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.to_owned(), value.to_owned()));
        self
    }

    /// On stdio without an environment variable, whoever has set it.
    pub(crate) fn without(mut self, name: &str) -> Self {
        self.without.push(name.to_owned());
        self
    }

    /// As somebody who takes no part in what is judged, with the user's credential.
    #[must_use]
    pub fn outside(mut self) -> Self {
        self.outside = true;
        self
    }

    /// As somebody who takes no part in what is judged, without a credential.
    #[must_use]
    pub fn outsider(mut self) -> Self {
        self.who = Who::Nobody;
        self.outside()
    }

    /// As somebody who takes no part in what is judged, with the second user's credential.
    pub(crate) fn second(mut self) -> Self {
        self.who = Who::Second;
        self.outside()
    }

    /// At another party's server on this machine, which is told nothing of what is for this one.
    pub(crate) fn elsewhere(mut self, place: Url) -> Self {
        self.elsewhere = true;
        self.place = Some(place);
        self.outsider()
    }

    /// At another address of the same server.
    pub(crate) fn place(mut self, place: Url) -> Self {
        self.place = Some(place);
        self.outside()
    }

    pub(crate) fn bisection(mut self, bisection: Bisection) -> Self {
        self.bisection = Some(bisection);
        self
    }
}
