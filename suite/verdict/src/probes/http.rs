//! Probes about streamable HTTP.

macro_rules! http {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "http" "Streamable HTTP" {
            /// An ordinary request, to compare others with.
            HttpControl = "http-control";
            /// The same request as `http-control` with one thing changed that must make no difference. `kind` is
            /// `accept-reversed`, `accept-quality` or `accept-tight` (the Accept header), `charset` (in
            /// Content-Type), `chunked` (the body), `utf8-id` (an id beyond ASCII), `fresh-connection`,
            /// `names-lower` or `names-upper` (the header names).
            HttpVariation = "http-variation" needs [Kind];
            /// An ordinary request, or a GET where `method` says so, with a certain `MCP-Protocol-Version`. `kind`
            /// is `negotiated`, `absent` or `unsupported`.
            VersionHeader = "version-header" needs [Kind] may [Method];
            /// `initialize` of a further client without a version header.
            InitializePlain = "initialize-plain";
            /// `initialize` of a further client whose version header names the version in force.
            InitializeVersioned = "initialize-versioned";
            /// `initialize` of a further client with an unknown version in header and body.
            InitializeUnknownHeader = "initialize-unknown-header";
            /// An ordinary request without the session id.
            SessionMissing = "session-missing";
            /// An ordinary request with a session id that was never issued.
            SessionUnknown = "session-unknown";
            /// A notification with a session id that was never issued.
            StrangerNotification = "stranger-notification";
            /// A response that nobody asked for, also with a session id that was never issued. Rules read it from
            /// all POSTs of responses, and the mark keeps it out of the ordinary ones.
            StrangerResponse = "stranger-response" (background);
            /// A notification as a client of 2026-07-28 sends it. Rules read it from all POSTs of notifications,
            /// and the mark keeps it out of the ordinary ones.
            ModernNotification = "modern-notification" (background);
            /// DELETE without a session id.
            DeleteMissing = "delete-missing";
            /// An ordinary request of the session after `delete-missing`.
            DeleteMissingAfter = "delete-missing-after";
            /// DELETE with the session's id while its stream is open.
            End = "end";
            /// An ordinary request or a GET with the id of a session that was ended.
            AfterEnd = "after-end";
            /// `initialize` of one of many clients, for their session ids. Rules read the ids of all sessions.
            Mint = "mint" (background);
            /// DELETE of a session that `mint` opened. It only cleans up.
            MintEnd = "mint-end" (background);
            /// A request of one of two clients that use the same id at the same time. `client` is 1 or 2.
            Twin = "twin" needs [Client];
            /// A request whose id is `0`, `""` or `"1"`. The rules about answers and streams judge it as any
            /// request.
            SmallId = "small-id" (background);
            /// One of several requests that are sent together.
            ConcurrentPost = "concurrent-post";
            /// A GET while the session's stream is open.
            SecondGet = "second-get";
            /// `initialize` of a further client.
            SecondClient = "second-client";
            /// `notifications/initialized` of the further client. It only completes the handshake.
            SecondClientInitialized = "second-client-initialized" (background);
            /// No message: the head of the answer to the GET on `channel` was waited for.
            GetAwaited = "get-awaited" needs [Channel];
            /// No message: the end of the stream on `channel` was waited for.
            StreamAwaited = "stream-awaited" needs [Channel];
            /// A tool call for its stream. The rules about streams read all of them.
            StreamedCall = "streamed-call" may [Tool] (background);
            /// A call whose connection the tester drops to resume its stream. The rules read `resume`.
            DroppedCall = "dropped-call" (background);
            /// A GET with the id `after` of an event of the stream on channel `of`. `kind` is `replay` (the stream
            /// had ended) or `dropped` (the tester dropped its connection).
            Resume = "resume" needs [Of After Kind];
            /// A GET by which the client comes back to the stream on channel `of` after the server closed the
            /// connection.
            Reconnect = "reconnect" needs [Of];
            /// A GET with the id of an event of another session.
            ForeignResume = "foreign-resume";
            /// A GET with the id of an event that was never seen.
            UnknownEvent = "unknown-event";
            /// A call that makes the server send a notification of its own. Rules read where that notification
            /// arrives, after `announced`.
            AnnouncingCall = "announcing-call" (background);
            /// No message: what `announcing-call` makes the server send has arrived.
            Announced = "announced";
            /// No message: the client closed the connection of `channel` itself.
            Forsaken = "forsaken" needs [Channel];
            /// PUT or PATCH on the endpoint.
            OtherMethod = "other-method";
            /// A POST without a body.
            EmptyBody = "empty-body";
            /// A POST whose body is no JSON. The rules about HTTP statuses read all answers, and the mark keeps it
            /// out of the ordinary requests.
            BrokenBody = "broken-body" (background);
            /// A POST of an array of messages. The rules about HTTP statuses read all answers, and the mark keeps
            /// it out of the ordinary requests.
            PostedBatch = "posted-batch" (background);
            /// GET on the endpoint with the version header of 2026-07-28.
            ModernGet = "modern-get";
            /// DELETE on the endpoint with the version header of 2026-07-28.
            ModernDelete = "modern-delete";
            /// A POST of a JSON-RPC response in 2026-07-28. `kind` is `result` or `error`.
            ModernResponse = "modern-response" needs [Kind];
            /// A request of 2026-07-28 with one header varied. `claim` is the requirement. `expect` is `refused`
            /// (status 400 and -32020, or a code in `also`; with `raw` the HTTP stack may refuse the bytes
            /// itself), `served` or `no-mismatch` (any answer but -32020). `control` pairs it with its
            /// `mirror-control`.
            Mirror = "mirror" needs [Claim Expect] may [Control Also Raw Place Kind];
            /// The complete request that a `mirror` varies. Only if it is served is the variation to blame.
            MirrorControl = "mirror-control" needs [Control];
        }}
    };
}
