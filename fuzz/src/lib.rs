//! What targets share, and the one property that needs a crate of somebody else's.

use bytes::Bytes;
use futures_util::{FutureExt, StreamExt, stream};
use sse_stream::{Error, Sse, SseStream};
use wire::SseFramer;
use wire::sse::Oddity;

/// The mutator of libFuzzer is ours: by structure, for one message or for one message a line.
#[macro_export]
macro_rules! by_structure {
    ($shape:ident) => {
        libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            mcp_conform_fuzz::custom(
                mcp_conform_fuzz::Shape::$shape,
                data,
                size,
                max_size,
                seed,
                libfuzzer_sys::fuzzer_mutate,
            )
        });
    };
}

/// Another reader of event streams dispatches the same events, unless it refuses something.
pub fn sse_differential(input: &[u8]) {
    for size in [input.len().max(1), 3] {
        let chunks: Vec<_> = input.chunks(size).map(|chunk| Ok::<_, std::io::Error>(Bytes::copy_from_slice(chunk))).collect();
        let read = SseStream::from_bytes_stream(stream::iter(chunks)).collect::<Vec<Result<Sse, Error>>>();
        let theirs = read.now_or_never().expect("everything is there already");
        let mut framer = SseFramer::new(1 << 20);
        let ours: Vec<_> = input.chunks(size).flat_map(|chunk| framer.push(chunk)).collect();
        let noted = |odd: &dyn Fn(&Oddity) -> bool| ours.iter().any(|event| event.oddities.iter().any(odd));
        if theirs.iter().any(Result::is_err) {
            continue;
        }
        let lenient = |odd: &Oddity| matches!(odd, Oddity::BadRetry(_) | Oddity::InvalidUtf8 | Oddity::OverLimit { .. });
        let told: Vec<_> = ours.iter().filter(|event| event.dispatched()).collect();
        let theirs: Vec<Sse> = theirs.into_iter().flatten().filter(|event| event.data.is_some()).collect();
        assert_eq!(told.len(), theirs.len(), "{told:?} and {theirs:?}");
        for (ours, theirs) in told.into_iter().zip(theirs) {
            assert_eq!((&ours.data, &ours.event, &ours.id), (&theirs.data, &theirs.event, &theirs.id));
            assert!(ours.retry == theirs.retry || noted(&lenient), "{ours:?} and {theirs:?}");
        }
    }
}
