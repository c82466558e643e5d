//! Probes about logging.

macro_rules! logging {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "logging" "Logging" {
            /// `logging/setLevel` with a legal level. `kind` is `each` or `again`.
            LogLevel = "log-level" needs [Kind];
            /// `logging/setLevel` to a server that does not declare logging.
            LogLevelUndeclared = "log-level-undeclared";
            /// `logging/setLevel` with a level that does not exist.
            LogLevelInvalid = "log-level-invalid" needs [Kind];
            /// `logging/setLevel` without a level.
            LogLevelMissing = "log-level-missing" needs [Kind];
            /// One of two calls of a tool that logs, to find one that logs whenever it is called: some servers log
            /// by the clock. Rules read the log messages.
            LogAgain = "log-again" (background);
            /// No message: everything sent before the level was set has arrived.
            LogThreshold = "log-threshold" needs [Level];
            /// A call of a tool that logs at level debug. `levels` are the levels it logged at when it was
            /// observed.
            LogExercise = "log-exercise" needs [Levels];
            /// A call with the made-up secret `canary` in an argument that is named as one.
            LogCanary = "log-canary" needs [Canary];
            /// A request with a legal `logLevel` in `_meta` (2026-07-28).
            LogRequest = "log-request" needs [Kind];
            /// A request with a `logLevel` that does not exist (2026-07-28).
            LogRequestInvalid = "log-request-invalid" needs [Kind];
            /// A call that asks for log messages. Rules read the level from the bytes.
            LogRequestCall = "log-request-call" needs [Levels] (background);
            /// One of two calls at once: a slow one without a `logLevel` and one with it. Rules read the level
            /// from the bytes.
            LogPair = "log-pair" needs [Levels] (background);
            /// A list without a `logLevel`. Rules read every request that asks for no log messages.
            LogNone = "log-none" (background);
            /// A call without a level right after the same call with one. `levels` are the levels it logged at
            /// when asked.
            LogAfter = "log-after" needs [Levels];
            /// `logging/setLevel` in one of two sessions. The rules read `log-session-call`.
            LogSessionLevel = "log-session-level" (background);
            /// A call of a tool that logs in a session whose level is debug. `when` is `before` another session
            /// sets the level emergency, `meanwhile`, or `again` when this session has set its own level once
            /// more.
            LogSessionCall = "log-session-call" needs [When];
        }}
    };
}
