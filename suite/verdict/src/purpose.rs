//! What a session is for, where a rule looks at it differently for that.

use crate::transcript::Open;

/// The purposes that rules tell apart; every other one is the name of a scenario, or words for the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The conversation that the server is known by.
    Main,
    /// One message at a time, to find which one fells the server: what ends the process or silences it is believed.
    Careful,
    /// What no client sends: only the rules about robustness and good practice look at it.
    Robust,
    /// What somebody else's client said: nothing is known of what was meant by it.
    Recorded,
    /// Another party's server, to which the server under test pointed.
    Elsewhere,
    /// A process without its credential.
    WithoutKey,
    /// The end of a process: what it says meanwhile may come in time or not.
    Ending,
}

impl Purpose {
    const ALL: [Self; 7] =
        [Self::Main, Self::Careful, Self::Robust, Self::Recorded, Self::Elsewhere, Self::WithoutKey, Self::Ending];

    /// The word for it in a transcript; of several scenarios what their names begin with.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Careful => "careful",
            Self::Robust => "robust",
            Self::Recorded => "recorded",
            Self::Elsewhere => "elsewhere",
            Self::WithoutKey => "without key",
            Self::Ending => "stdio/",
        }
    }

    /// The purpose that a word stands for, if rules tell it apart.
    #[must_use]
    pub fn of(word: &str) -> Option<Self> {
        let stands = |purpose: &Self| match purpose {
            Self::Ending => word.starts_with(purpose.word()),
            _ => word == purpose.word(),
        };
        Self::ALL.into_iter().find(stands)
    }
}

impl AsRef<str> for Purpose {
    fn as_ref(&self) -> &str {
        self.word()
    }
}

impl Open {
    /// Whether the session is for this.
    #[must_use]
    pub fn is_for(&self, purpose: Purpose) -> bool {
        Purpose::of(&self.purpose) == Some(purpose)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_stands_for_its_purpose_and_no_scenario_for_another() {
        for purpose in Purpose::ALL {
            assert_eq!(Purpose::of(purpose.word()), Some(purpose));
        }
        assert_eq!(Purpose::of("stdio/framing"), Some(Purpose::Ending));
        for other in ["robust/inputs", "flow", "stdio", "", "main "] {
            assert_eq!(Purpose::of(other), None, "{other}");
        }
    }
}
