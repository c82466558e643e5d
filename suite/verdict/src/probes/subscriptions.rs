//! Probes about subscriptions.

macro_rules! subscriptions {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "subscriptions" "Subscriptions" {
            /// A subscription. `kind` is `all` or `one` type; `listed` is true if it names listed resources.
            Listen = "listen" needs [Kind] may [Listed];
            /// A subscription to no type.
            ListenEmpty = "listen-empty";
            /// A subscription after an earlier one ended.
            ListenAgain = "listen-again";
            /// A subscription without a filter.
            ListenMissing = "listen-missing";
            /// A subscription with a filter of the wrong type.
            ListenIll = "listen-ill" needs [Kind];
            /// A subscription beside calls. Rules read all subscriptions.
            ListenBeside = "listen-beside" (background);
            /// A call beside a subscription. Rules read what arrives on the subscription.
            CallBeside = "call-beside" (background);
            /// No message: everything sent for the subscription `id` before its end has arrived.
            ListenOver = "listen-over" needs [Id];
            /// No message: a session that never subscribes, after one that did.
            NoListen = "no-listen";
            /// `resources/subscribe` or `resources/unsubscribe` in a request of 2026-07-28.
            OldSubscribe = "old-subscribe";
            /// `resources/subscribe` of a listed uri.
            Subscribe = "subscribe";
            /// `resources/unsubscribe` of a uri that was subscribed.
            Unsubscribe = "unsubscribe";
            /// `resources/subscribe` without a uri, or with one that is none.
            SubscribeIll = "subscribe-ill" needs [Kind];
            /// `resources/unsubscribe` without a uri, or with one that is none.
            UnsubscribeIll = "unsubscribe-ill" needs [Kind];
            /// `resources/subscribe` to a server that does not declare it.
            UndeclaredSubscribe = "undeclared-subscribe";
            /// A call that, as the user configured, changes a resource. `watched` is true if that resource is
            /// watched.
            UpdateTrigger = "update-trigger" needs [Watched];
            /// No message: everything sent before the last `unsubscribe` has arrived.
            Unsubscribed = "unsubscribed";
        }}
    };
}
