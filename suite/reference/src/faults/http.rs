//! Faults of how messages are posted over HTTP, and of how they are answered.

use super::{Fault, carried};
use crate::Revision;
use crate::Revision::{V2025_03_26, V2025_06_18, V2025_11_25};

/// Where there are sessions.
const HANDSHAKE: &[Revision] = &[V2025_03_26, V2025_06_18, V2025_11_25];

pub(super) static TABLE: &[Fault] = &[
    carried("http.endpoint.post", "", "ping is answered with 404, as if there were no such route"),
    carried("http.endpoint.post", "method", "ping is answered with 405"),
    carried("http.endpoint.no-redirect", "", "ping is redirected to another path"),
    carried("http.endpoint.multi-client", "", "a second client is refused while the first is there").only(HANDSHAKE),
    carried("http.endpoint.any-connection", "", "the first request on a further connection is refused"),
    carried("http.endpoint.other-methods-405", "", "PUT is answered with 200"),
    carried("http.method.allow-header", "", "405 comes without Allow"),
    carried("http.accept.both-any-order", "", "only one spelling of Accept is served"),
    carried("http.request.content-type-parameters", "", "a Content-Type with a charset is refused"),
    carried("http.request.chunked-body", "", "a body without Content-Length is refused"),
    carried("http.request.utf8", "", "the body is read as Latin-1"),
    carried("http.response.utf8", "", "answers are written in Latin-1"),
    carried("http.post.reply-content-type", "", "results are of type text/plain"),
    carried("http.post.reply-content-type", "none", "results have no type"),
    carried("http.post.reply-json-object", "", "the response is in an array"),
    carried("http.post.reply-json-object", "two", "the body holds the response twice"),
    carried("http.post.reply-status-2xx", "", "results come with status 400"),
    carried("http.post.reply-status-2xx", "server-error", "results come with status 500"),
    carried("http.post.never-202-for-request", "", "a request with the id 0 is taken for a notification"),
    carried("http.post.never-202-for-request", "empty", "a request with an empty id is taken for a notification"),
    carried("http.post.empty-body", "", "an empty body is answered with 200"),
    carried("http.post.notification-202", "", "notifications are answered with 200"),
    carried("http.post.notification-202", "no-content", "notifications are answered with 204"),
    carried("http.post.notification-no-body", "", "the answer to a notification has a body"),
    carried("http.post.notification-no-body", "null", "the answer to a notification has the body null"),
    carried("http.post.notification-refused-status", "", "a refused notification is answered with 200").only(HANDSHAKE),
    carried("http.post.notification-refused-status", "redirect", "a refused notification is answered with 302")
        .only(HANDSHAKE),
    carried("http.post.refusal-body-without-id", "", "the refusal of a notification has an invented id"),
    carried("http.post.response-202", "", "responses are answered with 200"),
    carried("http.post.response-202", "body", "the 202 for a response has a body"),
    carried("http.batch.stream-answers-all", "", "the stream for a batch ends before its last response"),
    carried("http.headers.names-case-insensitive", "", "header names in capitals are not known").only(&[
        crate::Revision::V2025_03_26,
        V2025_06_18,
        V2025_11_25,
    ]),
    carried("http.status.no-5xx-for-client-faults", "", "a body that is no JSON is answered with 500"),
    carried("http.version-header.negotiated-accepted", "", "the version that was negotiated is refused"),
    carried("http.version-header.unsupported-400", "", "unsupported versions are served"),
    carried("http.version-header.unsupported-400", "text", "a version that is no date is served"),
    carried("http.version-header.unsupported-400", "status", "unsupported versions are refused with 422"),
    carried("http.version-header.absent-on-initialize", "", "further clients must name a version with initialize"),
    carried("http.version-header.ignored-on-initialize", "", "an unknown version in the header stops initialize"),
    carried("http.version-header.absent-later", "", "requests that name no version are refused"),
];
