//! Probes about ping.

macro_rules! ping {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "ping" "Ping" {
            /// A ping without params.
            PingPlain = "ping-plain";
            /// A ping whose params have nothing but `_meta`, or are empty.
            PingMeta = "ping-meta" needs [Kind];
            /// One of several pings.
            PingRepeated = "ping-repeated";
            /// A ping on a connection on which nothing else goes on.
            PingIdle = "ping-idle";
            /// A ping behind a `slow-call` that is still at work.
            PingWhileBusy = "ping-while-busy";
            /// A call that takes its time.
            SlowCall = "slow-call" needs [Tool];
            /// A ping before `initialize`.
            PingFirst = "ping-first";
        }}
    };
}
