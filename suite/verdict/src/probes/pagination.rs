//! Probes about pagination.

macro_rules! pagination {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "pagination" "Pagination" {
            /// A cursor that the server never issued. `kind` is `high` or `low` (an ordinary string that sorts
            /// behind or before every name), `altered` (an issued cursor with one character changed), `base64`,
            /// `json`, `negative`, `huge`, `nul` or `long`.
            CursorInvalid = "cursor-invalid" needs [Kind];
            /// A cursor that is no string. `kind` is `number`, `object`, `array` or `boolean`.
            CursorType = "cursor-type" needs [Kind];
            /// A cursor that this session got for the list `from`.
            CursorForeign = "cursor-foreign" needs [From];
            /// A cursor of a walk, used once more.
            CursorAgain = "cursor-again";
            /// A request without cursor. `when` is `control` (two before the walk), `partial` (after a walk that
            /// stopped at its second page), or `before` and `after` malformed cursors.
            FirstPage = "first-page" needs [When];
            /// The second page, at which a walk stops.
            SecondPage = "second-page";
        }}
    };
}
