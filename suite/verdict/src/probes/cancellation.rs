//! Probes about cancellations.

macro_rules! cancellation {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "cancellation" "Cancellations" {
            /// A request that is answered before its cancellation is sent (`cancel-completed`). It only sets the
            /// stage: the rules about answers judge it as any request.
            CancelFirst = "cancel-first" (background);
            /// A cancellation of a request that was never sent. `kind` is the type of the id.
            CancelUnknown = "cancel-unknown" needs [Kind];
            /// A cancellation of a request that was answered already.
            CancelCompleted = "cancel-completed" needs [Kind];
            /// A malformed cancellation.
            CancelMalformed = "cancel-malformed" needs [Kind];
            /// A quick request, sent together with its cancellation.
            RaceRequest = "race-request";
            /// The cancellation of a `race-request`.
            RaceCancel = "race-cancel" needs [Kind];
            /// A slow call that is left alone.
            SlowControl = "slow-control";
            /// A slow call that is cancelled. `reason` and `meta` say whether the cancellation carries a reason
            /// and `_meta`.
            SlowCancelled = "slow-cancelled" needs [Reason Meta];
            /// A slow call; its id as the other JSON type is cancelled.
            SlowTwin = "slow-twin";
            /// The cancellation of a `slow-cancelled` call, or of the twin's id. It is marked so that rules about
            /// ordinary notifications skip it.
            SlowCancel = "slow-cancel" (background);
            /// No message: what was under way when the cancellations were sent has arrived.
            CancelGrace = "cancel-grace";
            /// No message: the slow calls would have ended by now.
            CancelOver = "cancel-over";
            /// An `initialize` or `server/discover` sent together with its cancellation, in a session that no
            /// other rule looks at.
            InitializeCancelled = "initialize-cancelled";
            /// The cancellation of an `initialize-cancelled` request. It is marked so that rules about ordinary
            /// notifications skip it.
            InitializeCancel = "initialize-cancel" (background);
            /// A request whose connection the client closes.
            StreamDropped = "stream-dropped";
            /// A request next to a `stream-dropped` one. `when` is `meanwhile` or `afterwards`.
            BesideDropped = "beside-dropped" needs [When];
            /// A call that changes something when it is done. Rules read its effect from `effect-shown`.
            EffectCall = "effect-call" (background);
            /// The same call as `effect-call`, whose stream is closed before it is done.
            EffectDropped = "effect-dropped";
            /// A call that shows what `effect-call` changes. `at` is `before`, `done` (after the first call),
            /// `steady` (a while later), `dropped` (right after the stream was closed) or `after` (when the call
            /// would long be done).
            EffectShown = "effect-shown" needs [At];
            /// A subscription that the server is about to end.
            TeardownListen = "teardown-listen";
            /// A call that, as the user configured, makes the server end a subscription.
            TeardownCall = "teardown-call";
            /// No message: everything that was to come after `teardown-call` has arrived.
            TeardownOver = "teardown-over";
        }}
    };
}
