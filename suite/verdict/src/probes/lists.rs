//! Probes about lists of all kinds.

macro_rules! lists {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "lists" "Lists of all kinds" {
            /// A request of the walk that finds out what a list has. `page` counts from 0.
            Walk = "walk" needs [Method Page];
            /// A request of a later walk of a list.
            WalkAfter = "walk-after" needs [Method Page];
            /// A request of the first of two walks that follow each other while nothing else goes on.
            WalkOnce = "walk-once" needs [Method Page];
            /// A request of the second of those two walks.
            WalkTwice = "walk-twice" needs [Method Page];
            /// No message: how a `walk` ended. Noted for people who read the transcript; rules count the pages
            /// themselves.
            WalkEnded = "walk-ended" needs [Method Pages End] (background);
            /// No message: how a `walk-after` ended. Noted for people who read the transcript; rules count the
            /// pages themselves.
            WalkAfterEnded = "walk-after-ended" needs [Method Pages End] (background);
            /// No message: how a `walk-once` ended. Noted for people who read the transcript; rules count the
            /// pages themselves.
            WalkOnceEnded = "walk-once-ended" needs [Method Pages End] (background);
            /// No message: how a `walk-twice` ended. Noted for people who read the transcript; rules count the
            /// pages themselves.
            WalkTwiceEnded = "walk-twice-ended" needs [Method Pages End] (background);
            /// A call that, as the user configured, changes a list.
            ListTrigger = "list-trigger";
            /// A subscription to the changes of a list. Rules read all subscriptions.
            ListSubscribed = "list-subscribed" (background);
        }}
    };
}
