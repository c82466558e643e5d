//! Probes about progress.

macro_rules! progress {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "progress" "Progress" {
            /// A call with a progress token. `kind` is which token; `known` is true if the tool reports progress
            /// under other tokens.
            ProgressToken = "progress-token" needs [Kind Known];
            /// One of two calls at once of a tool that reports progress.
            ProgressPair = "progress-pair";
            /// A request whose progress token is neither string nor integer.
            ProgressInvalid = "progress-invalid";
            /// A call without a token of a tool that reports progress when asked to.
            ProgressNone = "progress-none";
            /// Progress from the client with a token that the server never gave. `kind` is the type of the token.
            ClientProgress = "client-progress" needs [Kind];
            /// A call of a tool while its progress, log messages and requests are observed. Rules read those from
            /// the bytes.
            FlowCall = "flow-call" needs [Tool Alone] (background);
            /// A list around a `flow-call`, to see whether the call changes it. It is no ordinary walk.
            FlowList = "flow-list" (background);
            /// `logging/setLevel` before a `flow-call`, so that log messages can be observed.
            FlowLogLevel = "flow-log-level" (background);
        }}
    };
}
