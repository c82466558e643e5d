//! Probes about robustness.

macro_rules! robust {
    ($next:ident $($more:ident)*; $($before:tt)*) => {
        $next! { $($more)*; $($before)*
        area "robust" "Robustness" {
            /// An input that a server must survive. `of` is the requirement, `kind` which input, `ids` the ids
            /// (JSON text) that answers may carry. `expect` is `any`, `no-result` or `no-success` (a result, or
            /// one that is no tool error, shows that it was taken for something else), `one` (no more than one
            /// answer with one of the ids), `once` (exactly one), `exact` (a result carries the very id) or `pair`
            /// (two requests with one id, told apart by `member`).
            Robust = "robust" needs [Of Kind Expect Ids] may [Member];
            /// No message: the memory of the server grew by `grown` kilobytes over the inputs of the requirement
            /// `of`; `bound` are allowed.
            Memory = "memory" needs [Of Grown Bound];
            /// An input of the in-process fuzzer.
            Fuzz = "fuzz";
        }}
    };
}
