//! Probes about HTTP+SSE.

macro_rules! sse {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "sse" "HTTP+SSE" {
            /// A request whose id is used in two sessions at once. `member` is what the result of this one has.
            OwnStream = "own-stream" may [Member];
            /// A ping of the main session after others came (`clients`) or left (`leaving`).
            Bystander = "bystander" needs [After];
            /// No message: the server had ended the stream of the main session. `after` is as for `bystander`.
            BystanderGone = "bystander-gone" needs [After];
            /// No message: the handshake took longer than the time limit.
            NotGreeted = "not-greeted";
            /// No message: nothing could be posted in this session. `why` is `no-stream` (the answer to GET ended
            /// without an endpoint event), `no-event` (none came within the time limit), `no-uri`, `foreign`
            /// (another origin), or something that tells nothing about the event.
            NotAnnounced = "not-announced" needs [Why];
            /// A GET of the stream with the Origin of a foreign site. `loopback` is true if the server is on this
            /// machine.
            ForeignReads = "foreign-reads" needs [Loopback];
            /// A ping to the announced URI with the Origin of a foreign site. `loopback` is as for
            /// `foreign-reads`.
            ForeignPosts = "foreign-posts" needs [Loopback];
            /// A request to the announced URI with its identifier altered.
            UnknownSession = "unknown-session";
            /// No message: `unknown-session` was not answered in time.
            UnknownSessionSilent = "unknown-session-silent";
            /// `initialize` posted to the URL of the stream, as newer clients do first.
            AtStreamUrl = "at-stream-url";
            /// No message: `at-stream-url` was not answered in time.
            AtStreamUrlSilent = "at-stream-url-silent";
        }}
    };
}
