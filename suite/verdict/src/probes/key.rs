//! The keys under which a probe says more than the bytes do.

use serde_json::Value;

/// The JSON type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyType {
    /// A string.
    Text,
    /// A number.
    Number,
    /// A boolean.
    Flag,
    /// An array.
    List,
    /// An object.
    Object,
}

impl KeyType {
    fn matches(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Number => value.is_number(),
            Self::Flag => value.is_boolean(),
            Self::List => value.is_array(),
            Self::Object => value.is_object(),
        }
    }

    /// Its name in the documentation.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Number => "number",
            Self::Flag => "flag",
            Self::List => "list",
            Self::Object => "object",
        }
    }
}

macro_rules! marked {
    (background $key:expr) => {
        $key
    };
}

macro_rules! keys {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal ($($kind:ident)+) $(($mark:ident))?;)*) => {
        /// A key of `about`, see [`crate::transcript::Probe`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Key {
            $($(#[doc = $doc])+ $variant,)*
        }

        impl Key {
            /// All keys, in alphabetical order.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Its name in a transcript.
            #[must_use]
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// The types that its value may have.
            #[must_use]
            pub fn types(self) -> &'static [KeyType] {
                match self { $(Self::$variant => &[$(KeyType::$kind),+],)* }
            }

            /// Whether no rule reads it: it is there for people who read transcripts.
            #[must_use]
            pub fn is_background(self) -> bool {
                const MARKED: &[Key] = &[$($(marked!($mark Key::$variant),)?)*];
                MARKED.contains(&self)
            }

            /// A sentence about it.
            #[must_use]
            pub fn meaning(self) -> &'static str {
                match self { $(Self::$variant => concat!($($doc),+).trim_ascii_start(),)* }
            }
        }
    };
}

keys! {
    /// The stream event, or the event of the run, that this comes after.
    After = "after" (Text);
    /// Counts repetitions of a request, from 1.
    Again = "again" (Number);
    /// Nothing else was under way.
    Alone = "alone" (Flag);
    /// Further error codes that are accepted.
    Also = "also" (List);
    /// The argument that is left out.
    Argument = "argument" (Text);
    /// It was not said, so the tester assumes it.
    Assumed = "assumed" (Flag) (background);
    /// A place: a pointer into arguments, or a point in time.
    At = "at" (Text);
    /// Kilobytes by which memory may grow.
    Bound = "bound" (Number);
    /// The keyword at whose boundary a generated value lies.
    Boundary = "boundary" (Text);
    /// The arguments break the inputSchema.
    Broken = "broken" (Flag);
    /// The processor was used all the time.
    Busy = "busy" (Flag);
    /// A made-up secret.
    Canary = "canary" (Text);
    /// The number of a generated request.
    Case = "case" (Number);
    /// The exchange it is about.
    Channel = "channel" (Number);
    /// The requirement that a varied header tests.
    Claim = "claim" (Text);
    /// Which of two clients.
    Client = "client" (Number);
    /// The program and its arguments.
    Command = "command" (List) (background);
    /// Pairs a request with its control.
    Control = "control" (Text);
    /// The user's credential was sent.
    Credential = "credential" (Flag);
    /// How a walk ended: `complete`, `loop`, `endless` or `broken`.
    End = "end" (Text) (background);
    /// An endpoint, by its URL or its name.
    Endpoint = "endpoint" (Text);
    /// The allowed answers.
    Expect = "expect" (Text);
    /// Members were added that no revision defines.
    Extras = "extras" (Flag);
    /// Where in a result a value stands.
    Field = "field" (Text);
    /// Nothing lenient could make the arguments right.
    Firm = "firm" (Flag);
    /// Which of several forms of a kind.
    Form = "form" (Text);
    /// The output format that was asked for.
    Format = "format" (Text);
    /// The list a cursor comes from.
    From = "from" (Text) (background);
    /// Kilobytes by which memory grew.
    Grown = "grown" (Number);
    /// The server's URL is HTTPS.
    Https = "https" (Flag);
    /// The id of a request.
    Id = "id" (Text Number);
    /// The ids, as JSON text, that answers may carry.
    Ids = "ids" (List);
    /// The issuer of an authorization server.
    Issuer = "issuer" (Text);
    /// Pairs a request with others that should get the same answer.
    Key = "key" (Number);
    /// The keyword of JSON Schema that is broken.
    Keyword = "keyword" (Text);
    /// Which variant of the intent was sent.
    Kind = "kind" (Text);
    /// The effect was seen before.
    Known = "known" (Flag);
    /// Command lines of processes that remain.
    Left = "left" (List);
    /// A log level.
    Level = "level" (Text) (background);
    /// The log levels at which a tool logged.
    Levels = "levels" (List);
    /// Listed resources are named.
    Listed = "listed" (Flag);
    /// The server is on this machine.
    Loopback = "loopback" (Flag);
    /// A member that only the right result has.
    Member = "member" (Text);
    /// `_meta` was sent.
    Meta = "meta" (Flag);
    /// The method of the message, or of HTTP.
    Method = "method" (Text) (background);
    /// The simplest request that still shows the defect.
    Minimal = "minimal" (Flag);
    /// Names of tools.
    Names = "names" (List);
    /// The requirement, the channel, or the group that it belongs to.
    Of = "of" (Text Number);
    /// The number of a page, from 0.
    Page = "page" (Number);
    /// How many pages came.
    Pages = "pages" (Number) (background);
    /// The time limit was three times as long.
    Patient = "patient" (Flag);
    /// Where something was found, or is sent.
    Place = "place" (Text);
    /// The plain request got a plain result.
    Plain = "plain" (Flag);
    /// The bytes may be refused by the HTTP stack itself.
    Raw = "raw" (Flag);
    /// A reason was sent.
    Reason = "reason" (Flag);
    /// Which request was sent.
    Request = "request" (Text);
    /// A protocol revision.
    Revision = "revision" (Text);
    /// Counts rounds.
    Round = "round" (Number);
    /// Kilobytes of memory after each round.
    Rounds = "rounds" (List);
    /// A pointer into a schema, or a schema.
    Schema = "schema" (Text Object);
    /// The time limit in seconds.
    Seconds = "seconds" (Number);
    /// Which of the connections that are compared.
    Side = "side" (Text);
    /// The call took its time.
    Slow = "slow" (Flag);
    /// Processes were started.
    Started = "started" (Flag);
    /// The user configured it.
    Stated = "stated" (Flag);
    /// The step of a sequence, or a step on the way to a simpler request.
    Step = "step" (Text Flag);
    /// Why generated requests ended early.
    Stopped = "stopped" (Text);
    /// The prompt, template or completion that generated strings are for.
    Subject = "subject" (Text);
    /// A resource template.
    Template = "template" (Text);
    /// Which token was sent, or the text that must not come back.
    Token = "token" (Text);
    /// The user configured it.
    Told = "told" (Flag);
    /// The name of a tool.
    Tool = "tool" (Text);
    /// Names of tools that were called together.
    Tools = "tools" (List);
    /// Counts turns, from 1.
    Turn = "turn" (Number);
    /// The parts that generated requests could not reach.
    Unreached = "unreached" (List);
    /// The uri of a resource.
    Uri = "uri" (Text);
    /// The URL of the server.
    Url = "url" (Text) (background);
    /// Which value is completed.
    Value = "value" (Text);
    /// Where the values come from.
    Values = "values" (Text);
    /// An environment variable.
    Variable = "variable" (Text);
    /// The changed resource is subscribed to.
    Watched = "watched" (Flag);
    /// The subject.
    What = "what" (Text);
    /// When it was sent.
    When = "when" (Text);
    /// Which user.
    Who = "who" (Text);
    /// The reason.
    Why = "why" (Text);
}

impl Key {
    /// Whether a value has one of its types.
    pub(super) fn allows(self, value: &Value) -> bool {
        self.types().iter().any(|kind| kind.matches(value))
    }
}
