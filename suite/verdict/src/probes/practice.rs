//! Probes about practice, beyond the specification.

macro_rules! practice {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "practice" "Practice, beyond the specification" {
            /// A tool call with hostile arguments. `of` is the requirement, `kind` which input (`control`: an
            /// innocent one of the same form; `after`: an innocent one behind the others), `token` what must not
            /// come back.
            PracticeInput = "practice-input" needs [Of Tool Kind Token];
            /// No message: the server crashed over this input, and again in a fresh session.
            PracticeFell = "practice-fell" needs [Of Tool Kind Token];
            /// The call whose effect `practice-look` looks for.
            PracticeEffect = "practice-effect" needs [Of Round] may [Tool Tools] (background);
            /// A request for something that the server shows. `of` is the requirement; `when` is `first` or
            /// `second` before the call and `after` it; `what` names what is looked at. `tool` is the tool called,
            /// `tools` are several that were called together.
            PracticeLook = "practice-look" needs [Of Round When What] may [Tool Tools];
            /// A first request for everything the server shows, to find what is steady. The rules read
            /// `practice-look`.
            PracticeSight = "practice-sight" (background);
            /// A call of a tool that gives Markdown or JSON. `format` is `json`, `markdown` or `default` (left
            /// out).
            PracticeFormat = "practice-format" needs [Tool Format];
            /// A call of a tool that gives pages. `kind` is `default` (without a limit), `huge`, `limit` (a small
            /// one) or `walk` (a page of a walk, in order).
            PracticePage = "practice-page" needs [Tool Kind];
            /// One of many calls at once. `kind` is `control` for the one before.
            PracticeBurst = "practice-burst" needs [Tool Kind];
            /// A call that takes its time while another client asks.
            PracticeSlow = "practice-slow";
            /// A request of another client while `practice-slow` lasts.
            PracticeMeanwhile = "practice-meanwhile";
            /// A request whose connection is dropped, one of many.
            PracticeDropped = "practice-dropped";
            /// A request after many `practice-dropped` ones.
            PracticeAfter = "practice-after";
            /// One of many requests that fail. The rules read `practice-memory`.
            PracticeFailing = "practice-failing" (background);
            /// No message: the memory of the server in kilobytes after each round of failing requests.
            PracticeMemory = "practice-memory" needs [Rounds];
            /// A call with a progress token, given the time limit of a request, or with `patient` three times as
            /// much.
            PracticeLong = "practice-long" needs [Tool Patient];
            /// A call that, as the user configured, waits for longer than the tool's own time limit.
            PracticeTimeout = "practice-timeout" needs [Tool];
            /// No message: the environment variable that holds the server's key.
            KeyVariable = "key-variable" needs [Variable];
            /// A call in an ordinary session of a program that needs a key.
            WithKey = "with-key" needs [Tool];
            /// The same call as `with-key` in a session of the program without its key, which no other rule looks
            /// at.
            WithoutKey = "without-key" needs [Tool];
            /// A generated call that was served, made again. `again` is 1, or 2 if the first repetition failed.
            RepeatedCall = "repeated-call" needs [Tool Case Again];
            /// Another call of the tool after repetitions that failed.
            RepeatedBeside = "repeated-beside" needs [Tool];
        }}
    };
}
