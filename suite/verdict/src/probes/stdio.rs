//! Probes about standard input and output.

macro_rules! stdio {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "stdio" "Standard input and output" {
            /// One of several requests in one write.
            OneWrite = "one-write";
            /// A request written in pieces, one cut inside a character.
            SplitWrite = "split-write";
            /// A request whose id has other line separators in it.
            OnlyLf = "only-lf";
            /// A request with an id beyond ASCII, the process run in the C locale.
            Utf8Id = "utf8-id";
            /// A request that ends with CR LF.
            Crlf = "crlf";
            /// No message: nothing was asked for a while after an answer.
            Idle = "idle";
            /// `server/discover` as the first message to a server of the handshake revisions.
            ModernProbe = "modern-probe";
            /// The `initialize` after `modern-probe`.
            InitializeAfterModernProbe = "initialize-after-modern-probe";
            /// No message: the input is closed. `when` is `idle` (after an answer), `immediate` (before anything
            /// was said), `mid-request` (with a call under way), `mid-message` (in the middle of one) or `pending`
            /// (with requests just written).
            Eof = "eof" needs [When];
            /// A request written just before the input was closed.
            PendingAtEof = "pending-at-eof";
            /// No message: the process is asked to end with its input open.
            Sigterm = "sigterm";
            /// No message: the output has lost its reader; then the input is closed.
            ClosedStdout = "closed-stdout";
            /// No message: after `closed-stdout` the process still runs. `busy` is true if it used the processor
            /// all the time.
            Processor = "processor" needs [Busy];
            /// No message, after the end: `started` is true if the server had started processes, `left` are the
            /// command lines of those that remain.
            Family = "family" needs [Started Left];
        }}
    };
}
