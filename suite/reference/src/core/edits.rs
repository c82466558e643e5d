//! How interceptors answer: what becomes of a payload, of an outgoing message, of a line and of a process.

/// How a payload is taken in.
#[derive(Debug)]
pub(crate) enum Payload {
    /// It is read.
    AsIs,
    /// The process ends.
    Fatal,
    /// Nothing is done about it.
    Dropped,
    /// This is read instead.
    Instead(Vec<u8>),
    /// This is read first, then the payload.
    Before(Vec<u8>),
}

/// Edits that are left to be done to a message once it is text.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    /// It is not sent.
    pub(crate) drop: bool,
    /// Messages sent before it; `$id` stands for its id.
    pub(crate) before: Vec<String>,
    /// Messages sent after it.
    pub(crate) after: Vec<String>,
    /// Texts replaced where they occur first.
    pub(crate) texts: Vec<(&'static str, &'static str)>,
    /// It is sent again.
    pub(crate) twice: bool,
    /// It is sent as the only element of an array.
    pub(crate) wrap: bool,
}

impl Edits {
    /// The edited text of a message.
    pub(crate) fn text(&self, mut text: String) -> String {
        for (from, to) in &self.texts {
            text = text.replacen(from, to, 1);
        }
        if self.wrap { format!("[{text}]") } else { text }
    }
}

/// A message as it is written to a pipe.
#[derive(Debug)]
pub(crate) struct Line {
    pub(crate) text: Vec<u8>,
    pub(crate) end: &'static str,
    /// Its end is not written until something else is.
    pub(crate) held: bool,
}

/// How the end of the input finds a process.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ended {
    /// Requests are being worked on.
    pub(crate) busy: bool,
    /// The client has said something.
    pub(crate) said: bool,
    /// Nobody reads the output.
    pub(crate) deaf: bool,
}
