//! Probes about JSON-RPC.

macro_rules! jsonrpc {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "jsonrpc" "JSON-RPC" {
            /// An array of messages. `kind` is `requests`, `mixed` (two requests and a notification between them),
            /// `notifications`, `empty`, `invalid` (a request between two elements that are no messages),
            /// `initialize` (as the first message of a session) or `single` (one request, where arrays are no
            /// longer served).
            Batch = "batch" needs [Kind];
            /// One of two requests at the same time whose ids are an integer and a string of the same digits.
            /// `kind` is the type.
            IdPair = "id-pair" needs [Kind];
            /// A request with a legal but unusual id.
            IdEdge = "id-edge" needs [Kind];
            /// A request whose id is an integer beyond 2^53.
            IdBeyond = "id-beyond" needs [Kind];
            /// A request whose id is null.
            IdNull = "id-null" needs [Kind];
            /// A request whose id is neither string nor number. `kind` is the type.
            IdWrongType = "id-wrong-type" needs [Kind];
            /// A request whose id is a fraction.
            IdFractional = "id-fractional" needs [Kind];
            /// A request with the id of one that is still open. `kind` is `first` or `second`.
            IdInFlight = "id-in-flight" needs [Kind];
            /// A request that uses an id again after the answer to the first use, with another method
            /// (2026-07-28). `step` is `first` or `second`; `member` is a member that only the right result has.
            IdReuse = "id-reuse" needs [Step] may [Member];
            /// The same id on two sessions at once, with different methods. `member` is a member that only the
            /// right result has.
            IdShared = "id-shared" may [Member];
            /// JSON that is no request object. `kind` is `no-version` or `version-1.0` (a request but for the
            /// `jsonrpc` member), `no-method` (may be taken for a response), `method-number`, or the type of a
            /// scalar.
            InvalidRequest = "invalid-request" needs [Kind];
            /// A valid envelope whose `params` is no object. `kind` is the type.
            ParamsNotObject = "params-not-object" needs [Kind];
            /// A valid request of a method that nobody defines. `kind` is the method.
            UnknownMethod = "unknown-method" may [Kind];
            /// A request of a method of clients. `kind` is the method.
            WrongDirection = "wrong-direction" needs [Kind];
            /// A request of a known method in other case, or with a slash or a space added. `kind` is the method.
            InexactMethod = "inexact-method" needs [Kind];
            /// A request that names a notification. `kind` is the method.
            NotificationWithId = "notification-with-id" needs [Kind];
            /// A well-formed notification that the server may not know or need. `kind` is `cancelled`,
            /// `initialized`, `unknown`, `vendor` or `ill-typed`.
            Notification = "notification" needs [Kind];
            /// The method of a request, sent without an id. `kind` is the method.
            RequestWithoutId = "request-without-id" needs [Kind];
            /// A tool call; the client answers every request of the server with -32601. `seconds` is the time
            /// limit, and `told` is true if the user configured it.
            CallRefused = "call-refused" needs [Tool Seconds Told];
            /// A tool call; the client answers no request of the server. The keys are as for `call-refused`.
            CallWithheld = "call-withheld" needs [Tool Seconds Told];
            /// A tool call; the client answers no request of the server but reports progress. The keys are as for
            /// `call-refused`.
            CallProgressing = "call-progressing" needs [Tool Seconds Told];
            /// A request with one required parameter missing or of another type. `kind` names it: `uri` is that of
            /// `resources/read`.
            InvalidParams = "invalid-params" needs [Kind];
            /// A method that needs params, without any (in 2026-07-28 with `_meta` alone).
            MissingParams = "missing-params";
            /// A read of a resource that does not exist, for its error code. Rules read the codes of all errors.
            AbsentResource = "absent-resource" (background);
            /// Text against the grammar of JSON, without anything that could be read as an id.
            MalformedJson = "malformed-json" needs [Kind];
            /// On stdio an empty line or one of spaces. Only survival is judged.
            BlankLine = "blank-line" needs [Kind];
            /// A line with bytes that are not UTF-8.
            InvalidUtf8 = "invalid-utf8";
            /// An otherwise ordinary request with one thing varied in `_meta`. `kind` is, to be refused:
            /// `missing-meta`, `no-params`, `missing-version`, `missing-capabilities`, `version-number`,
            /// `capabilities-array`, `capabilities-string`, `capabilities-null` or `meta-array`; may be refused:
            /// `client-info-without-name` or `sampling-boolean`; to be served: `no-client-info`,
            /// `other-client-info`, `empty-capabilities` or `unknown-capability`.
            RequestMeta = "request-meta" needs [Kind];
            /// One of several requests written in one burst.
            Pipelined = "pipelined";
            /// A response to a request that was never made. `kind` is `result` or `error`.
            StrayResponse = "stray-response" needs [Kind];
            /// A request with a deeply nested value.
            DeepNesting = "deep-nesting";
            /// A large request.
            LargeMessage = "large-message";
            /// An ordinary request next to variations of it. `kind` is `first` or `last`.
            Control = "control" needs [Kind];
            /// An ordinary request with further well-named keys in `_meta`.
            MetaExtra = "meta-extra" needs [Kind];
            /// An ordinary request with trace context in `_meta`. `kind` is `valid` or `garbage`.
            TraceContext = "trace-context" needs [Kind];
            /// An ordinary request with an extra member in params.
            UnknownParam = "unknown-param" needs [Kind];
            /// An ordinary request with an extra member beside id.
            UnknownMember = "unknown-member";
        }}
    };
}
