//! What is said of a cause: its id, what the server does wrong, and how to mend it.

use wire::mcp::code::INVALID_PARAMS;

use super::mark::Mark;
use super::shown::{BAD_PARAMS, MALFORMED};

impl Mark {
    /// A name that a new run, another seed and a new version of the server leave as it is; `id` is the gravest requirement.
    pub(super) fn id(&self, id: &str) -> String {
        let (kind, what) = match self {
            Self::Ended { how, asked } => ("end".to_owned(), format!("{how}\n{asked}")),
            Self::Error { code, words, to, instead } => {
                (format!("error{code}"), format!("{words}\n{to}\n{}", instead.unwrap_or_default()))
            }
            Self::ToolError { words, tool } => ("tool-error".to_owned(), format!("{words}\n{tool}")),
            Self::Codeless => return "error-without-code".to_owned(),
            Self::Dropped { asked } if asked == MALFORMED => return "silence".to_owned(),
            Self::Dropped { asked } => ("silence".to_owned(), asked.clone()),
            Self::Same(_) => return id.to_owned(),
        };
        format!("{kind}-{:08x}", fingerprint(&what))
    }

    /// What the server does wrong, where several requirements are broken by it; none if the gravest finding says it best.
    pub(super) fn title(&self) -> Option<String> {
        match self {
            Self::Error { code, to, instead: Some(INVALID_PARAMS), .. }
                if to == BAD_PARAMS && *code != INVALID_PARAMS =>
            {
                Some(format!("Missing or mistyped parameters are refused with error {code} instead of -32602."))
            }
            Self::Ended { how, asked } if asked.is_empty() => Some(format!(
                "A message that the server does not know or cannot read makes it {}.",
                if how == "silence" { "stop answering" } else { "exit" }
            )),
            Self::Codeless => Some("Errors have no integer code.".to_owned()),
            Self::Dropped { asked } if asked == MALFORMED => {
                Some("A message that is malformed, or no valid request, is dropped without an answer.".to_owned())
            }
            _ => None,
        }
    }

    /// What to do instead, in the words of the wire; none if the gravest finding says it best.
    pub(super) fn mend(&self) -> Option<&'static str> {
        match self {
            Self::Error { to, .. } if to == BAD_PARAMS => {
                Some("Where the parameters of a request are parsed, answer with error -32602 if that fails.")
            }
            Self::Ended { asked, .. } if asked.is_empty() => Some(
                "Where messages are read, go on with the next one if one cannot be understood; a request gets an error.",
            ),
            Self::Codeless => {
                Some("Give every error an integer `code`: -32602 for bad parameters, -32603 for failures.")
            }
            Self::Dropped { asked } if asked == MALFORMED => {
                Some("Where a message cannot be parsed, answer with error -32700, or -32600 if it is JSON, and its id.")
            }
            _ => None,
        }
    }
}

/// FNV-1a, of which 32 bits are enough to tell the causes of one server apart.
fn fingerprint(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
