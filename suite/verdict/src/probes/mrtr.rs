//! Probes about multi round-trip requests.

macro_rules! mrtr {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "mrtr" "Multi round-trip requests" {
            /// A request that may ask for input. The rules read what its result asks for.
            MrtrFirst = "mrtr-first" (background);
            /// A further round of a request whose state is used later. It only sets the stage.
            MrtrRound = "mrtr-round" (background);
            /// A request with valid responses and the state echoed.
            MrtrRetry = "mrtr-retry" needs [Kind];
            /// The same request as `mrtr-retry` with a further, unknown key.
            MrtrExtra = "mrtr-extra" needs [Kind];
            /// The request without any response.
            MrtrMissing = "mrtr-missing" needs [Kind];
            /// The request with the response under another key.
            MrtrWrongKey = "mrtr-wrong-key" needs [Kind];
            /// The request with a malformed response.
            MrtrIllResponse = "mrtr-ill-response" needs [Kind];
            /// The request with responses that are no object.
            MrtrIllResponses = "mrtr-ill-responses" needs [Kind];
            /// The request with a response that declines. `kind` is the action.
            MrtrDeclined = "mrtr-declined" needs [Kind];
            /// The request with responses nobody asked for. `plain` is true if the same call without them got a
            /// plain result.
            MrtrUnsolicited = "mrtr-unsolicited" needs [Plain];
            /// A request with all client capabilities, before `mrtr-forgets`. Rules read every result that asks
            /// for input.
            MrtrCapable = "mrtr-capable" (background);
            /// A request without capabilities, right after the same request with all of them.
            MrtrForgets = "mrtr-forgets";
            /// An ordinary request after others were abandoned.
            MrtrAfter = "mrtr-after";
            /// A retry on another connection.
            MrtrElsewhere = "mrtr-elsewhere";
            /// A request with a made-up `requestState`.
            MrtrStateGarbage = "mrtr-state-garbage" needs [Kind];
            /// A retry with the state changed. `kind` is where.
            MrtrStateTampered = "mrtr-state-tampered" needs [Kind];
            /// A retry that brings the state to other arguments, another tool or another method.
            MrtrStateOther = "mrtr-state-other" needs [Kind];
            /// A retry with the state of a result that asked for no input, echoed.
            MrtrStateOnly = "mrtr-state-only" needs [Kind];
            /// Another user's own first request.
            MrtrSecondFirst = "mrtr-second-first";
            /// Another user's retry with the state of the first user.
            MrtrStateUser = "mrtr-state-user" needs [Kind];
            /// The first request for a state whose lifetime the user configured. The rules read the retries.
            MrtrToldFirst = "mrtr-told-first" (background);
            /// A retry, of which the last is accepted.
            MrtrStateSpent = "mrtr-state-spent";
            /// The same retry as the last `mrtr-state-spent`, once more.
            MrtrStateAgain = "mrtr-state-again";
            /// A retry within the lifetime of the state.
            MrtrStateInTime = "mrtr-state-in-time";
            /// A retry after the lifetime of the state.
            MrtrStateLate = "mrtr-state-late";
        }}
    };
}
