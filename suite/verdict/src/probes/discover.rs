//! Probes about discovery and the stateless era.

macro_rules! discover {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "discover" "Discovery and the stateless era" {
            /// A request for a declared list as the first message of a fresh connection (on stdio of a fresh
            /// process).
            FirstMessage = "first-message";
            /// The same request as `first-message`, right after `server/discover` on the same connection.
            AfterDiscover = "after-discover";
            /// The same request as `first-message`, in a session that `initialize` opened.
            AfterHandshake = "after-handshake";
            /// `initialize` as a client of 2025-11-25 sends it, first on a connection.
            LegacyInitialize = "legacy-initialize";
            /// `ping` in the session that `legacy-initialize` opened.
            LegacyPing = "legacy-ping";
            /// A request of 2026-07-28 sent while a session of the handshake era is open.
            ModernBesideSession = "modern-beside-session";
            /// An ordinary list or read between two requests that are compared. It only gives the connection a
            /// past.
            InBetween = "in-between" (background);
            /// A read, as the first message of a connection, of a resource that another connection listed.
            ReadElsewhere = "read-elsewhere";
            /// The same read as `read-elsewhere`, on that connection after a list of its own.
            ReadAfterList = "read-after-list";
            /// A cursor that another session got for the same list.
            CursorElsewhere = "cursor-elsewhere";
            /// One of three requests of one method in a row on one connection. `step` is `good`, `bad` (a version
            /// that does not exist) or `good-again`.
            VersionTurn = "version-turn" needs [Step];
            /// An otherwise complete request that names a version the server does not implement (over HTTP in the
            /// header, too). `kind` is `discover` or `list` (a method that is served otherwise), `unknown-method`,
            /// `other` (any further method that is served otherwise) or `older` (`server/discover` with a version
            /// that is opened by a handshake).
            VersionUnsupported = "version-unsupported" needs [Kind];
            /// A tool call that declares no client capability. `turn` is 2 for the one that follows
            /// `capability-all`.
            CapabilityNone = "capability-none" needs [Turn];
            /// The same call as `capability-none` with every client capability declared.
            CapabilityAll = "capability-all";
            /// The same call as `capability-none` with the capabilities that the refusal lists in
            /// `data.requiredCapabilities`.
            CapabilityListed = "capability-listed";
            /// The same call as `capability-none` with every capability that the refusal does not list. Noted for
            /// people who read the transcript.
            CapabilityOthers = "capability-others" (background);
            /// A method that 2026-07-28 no longer has (`ping`, `logging/setLevel`, one of `tasks/*`), with params
            /// that were valid before.
            RemovedMethod = "removed-method";
            /// `server/discover` or a list, asked four times in turn. `side` is `fresh` (a connection on which
            /// nothing was asked before), `busy` (the connection of most other probes), `fresh-again` or
            /// `busy-again`.
            SameOn = "same-on" needs [Side];
            /// One of several requests sent at once with different `clientCapabilities`, `logLevel` and
            /// `clientInfo`. `key` pairs it with its `alone` requests.
            Mixed = "mixed" needs [Key];
            /// The same request as a `mixed` one with nothing else on the connection; `turn` is 1 before and 2
            /// after. On stdio, without keys: a request with nothing before and nothing behind it.
            Alone = "alone" may [Key Turn];
        }}
    };
}
