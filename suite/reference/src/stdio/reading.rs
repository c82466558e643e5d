//! Standard input, line by line, in bounded memory; and how faults read it.

use std::io::Read;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use wire::line::{End, Frame, LineFramer};

use crate::core::Server;

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
        let frames = framer.push(&chunk[..count]);
        let mut read: Vec<Vec<u8>> = frames.into_iter().map(|frame| content(server, frame)).collect();
        if server.faulty("stdio.framing.split-writes") && framer.held() > 0 {
            // Whatever a read returned is taken for a message.
            let rest = std::mem::replace(&mut framer, LineFramer::new(LONGEST));
            read.extend(rest.finish().map(|frame| frame.bytes));
        }
        if server.faulty("stdio.framing.pipelined-messages") {
            read.truncate(4);
        }
        if server.faulty("robust.blank-lines") && read.iter().filter(|line| line.is_empty()).count() > 500 {
            std::process::exit(1);
        }
        if !read.is_empty() && std::mem::take(&mut reads) > 6 && server.faulty("robust.slow-write") {
            continue;
        }
        for line in read.into_iter().flat_map(|line| misread(server, line)) {
            if lines.send(line).is_err() {
                return;
            }
        }
    }
    // What was not finished is not served.
    while framer.held() > 0 && server.faulty("robust.truncated") {
        std::thread::park();
    }
}

fn content(server: &Server, frame: Frame) -> Vec<u8> {
    let mut bytes = frame.bytes;
    if frame.end == End::CrLf {
        bytes.push(b'\r');
        if server.faulty("stdio.framing.crlf-input-tolerated") {
            bytes.push(b'?');
        }
    }
    bytes
}

/// A line as faults take it.
fn misread(server: &Server, line: Vec<u8>) -> Vec<Vec<u8>> {
    if server.faulty("stdio.encoding.utf8-input") {
        // Every byte is taken for a character.
        return vec![line.into_iter().map(char::from).collect::<String>().into_bytes()];
    }
    if server.faulty("stdio.framing.only-lf-splits") {
        let text = String::from_utf8_lossy(&line);
        return text.split(['\u{2028}', '\u{2029}', '\u{85}']).map(|part| part.as_bytes().to_vec()).collect();
    }
    vec![line]
}
