//! Standard input, line by line, in bounded memory.

use std::io::Read;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use wire::line::{End, Frame, LineFramer};

use crate::core::Server;
use crate::deviation::Deviation;

/// The most of one line that is kept; what is longer is no JSON for want of its end, and is refused so.
const LONGEST: usize = 16 << 20;

/// Hands over lines until the input ends.
pub(super) fn read(server: &Arc<Server>, lines: &SyncSender<Vec<u8>>) {
    let mut framer = LineFramer::new(LONGEST);
    let mut input = std::io::stdin().lock();
    let mut chunk = vec![0; 64 << 10];
    let mut reads = 0;
    while let Ok(count @ 1..) = input.read(&mut chunk) {
        reads += 1;
        let mut read: Vec<Vec<u8>> = framer.push(&chunk[..count]).into_iter().map(content).collect();
        if server.deviates(Deviation::ReadsAreMessages) && framer.held() > 0 {
            // Whatever a read returned is taken for a message.
            let rest = std::mem::replace(&mut framer, LineFramer::new(LONGEST));
            read.extend(rest.finish().map(|frame| frame.bytes));
        }
        if read.is_empty() {
            continue;
        }
        for interceptor in server.interceptors() {
            interceptor.lines(&mut read, reads);
        }
        reads = 0;
        for line in read {
            if lines.send(line).is_err() {
                return;
            }
        }
    }
    // What was not finished is not served.
    while framer.held() > 0 && server.deviates(Deviation::TruncatedInputHangs) {
        std::thread::park();
    }
}

fn content(frame: Frame) -> Vec<u8> {
    let mut bytes = frame.bytes;
    if frame.end == End::CrLf {
        bytes.push(b'\r');
    }
    bytes
}
