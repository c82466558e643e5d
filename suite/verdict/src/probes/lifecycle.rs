//! Probes about lifecycle.

macro_rules! lifecycle {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "lifecycle" "Lifecycle" {
            /// No message: the handshake settled on `revision`. `assumed` is true if the answer named none, so that the
            /// tester goes on in the revision it asked for.
            Negotiated = "negotiated" needs [Revision] may [Assumed];
            /// No message: the session is a recording of a real client. `command` or `url` names the server, which
            /// the report of a judged recording shows.
            Recorded = "recorded" may [Command Url] (background);
            /// No message: the session is for malformed input. Noted for people who read the transcript.
            Rough = "rough" (background);
            /// A request other than ping before `initialize`.
            BeforeInitialize = "before-initialize";
            /// The `initialize` after `before-initialize`.
            InitializeAfterEarly = "initialize-after-early";
            /// No message: the connection was open for a while before anything was sent.
            WatchedBeforeInitialize = "watched-before-initialize";
            /// A ping between the result of `initialize` and `notifications/initialized`. What the server sends by
            /// itself at that point has come by the time it is answered.
            PingBeforeInitialized = "ping-before-initialized";
            /// `initialize` with a version that nobody released. `extras` is true if it has members that no
            /// revision defines.
            InitializeUnknown = "initialize-unknown" may [Extras];
            /// `initialize` with members that no revision defines. Rules read `extras` on any `initialize`.
            InitializeExtras = "initialize-extras" needs [Extras] (background);
            /// `initialize` with the version of 2026-07-28. Rules read the version from the bytes.
            InitializeModern = "initialize-modern" (background);
            /// `initialize` that lacks a required member or mistypes it. `kind` is `no-version`,
            /// `no-capabilities`, `no-client-info`, `no-params` or `version-number`.
            InitializeIllFormed = "initialize-ill-formed" needs [Kind];
            /// A second `initialize` in an open session.
            InitializeAgain = "initialize-again";
            /// A ping after `initialize-again`.
            PingAfterInitializeAgain = "ping-after-initialize-again";
            /// `notifications/initialized` with params.
            InitializedWithParams = "initialized-with-params";
            /// A request `shutdown`, as other protocols have it.
            ShutdownRequest = "shutdown-request";
            /// `logging/setLevel` to a server that declares logging. Rules read all requests of declared methods,
            /// and the mark keeps it out of the ordinary ones.
            DeclaredLogLevel = "declared-log-level" (background);
            /// A completion to a server that declares completions. Rules read all requests of declared methods,
            /// and the mark keeps it out of the ordinary ones.
            DeclaredCompletion = "declared-completion" (background);
        }}
    };
}
