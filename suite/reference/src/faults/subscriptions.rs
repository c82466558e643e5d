//! Faults of the area subscriptions.

use super::Edit::{Remove, Set};
use super::On::Notification;
use super::{Fault, rewrite, switch};
use crate::Transport::{Http, Stdio};

const UPDATED: &str = "notifications/resources/updated";
const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

pub(super) static TABLE: &[Fault] = &[
    switch("subscriptions.resource.subscribe-accepted", "", "resources/subscribe is unknown though it is declared"),
    switch("subscriptions.resource.unsubscribe-accepted", "", "resources/unsubscribe is unknown"),
    switch("subscriptions.resource.updated-on-change", "", "changes of resources are not announced"),
    rewrite(
        "subscriptions.resource.updated-shape",
        "",
        "an update has no uri",
        &[(Notification(UPDATED), Remove("/params/uri"))],
    ),
    rewrite(
        "subscriptions.resource.updated-shape",
        "path",
        "the uri of an update is a path",
        &[(Notification(UPDATED), Set("/params/uri", "\"counter\""))],
    ),
    switch("subscriptions.resource.updated-uri-known", "", "an update names another resource"),
    switch("subscriptions.resource.updated-only-when-subscribed", "", "changes are announced to all"),
    switch("subscriptions.resource.quiet-after-unsubscribe", "", "unsubscribing has no effect"),
    switch("subscriptions.resource.undeclared-refused", "", "resources/subscribe is served though it is not declared"),
    switch("subscriptions.resource.missing-uri", "", "a subscription without a uri is accepted"),
    switch("subscriptions.resource.missing-uri", "code", "a subscription without a uri gives -32603"),
    switch("subscriptions.listen.implemented", "", "subscriptions/listen is unknown"),
    switch("subscriptions.listen.http-event-stream", "", "a subscription is answered with a result at once")
        .over(&[Http]),
    switch("subscriptions.listen.stays-open", "", "a subscription ends once it is acknowledged"),
    switch("subscriptions.listen.missing-filter", "", "a subscription without a filter is acknowledged"),
    switch("subscriptions.listen.missing-filter", "code", "a subscription without a filter gives -32603"),
    switch("subscriptions.listen.bad-filter-types", "", "a filter of the wrong type is taken for an empty one"),
    switch("subscriptions.listen.bad-filter-types", "code", "a filter of the wrong type gives -32603"),
    switch("subscriptions.listen.empty-filter", "", "a subscription to nothing is refused"),
    switch("subscriptions.ack.sent", "", "subscriptions are not acknowledged"),
    switch("subscriptions.ack.first", "", "a notification comes before the acknowledgement"),
    switch("subscriptions.ack.subscription-id", "", "the acknowledgement has the id as a string"),
    switch("subscriptions.ack.subscription-id", "missing", "the acknowledgement has no id"),
    rewrite(
        "subscriptions.ack.filter-object",
        "",
        "the acknowledged filter is an array",
        &[(Notification(ACKNOWLEDGED), Set("/params/notifications", "[\"tools\"]"))],
    ),
    switch("subscriptions.ack.subset", "", "everything is acknowledged whatever was asked for"),
    switch("subscriptions.ack.unsupported-omitted", "", "what the server does not declare is acknowledged"),
    switch("subscriptions.ack.supported-honoured", "", "changes of the list of tools are left out"),
    switch("subscriptions.notifications.tagged", "", "an update has no subscriptionId"),
    switch("subscriptions.notifications.tagged", "other", "an update has the id of another subscription"),
    switch("subscriptions.notifications.only-requested", "", "every subscription hears of changed resources"),
    switch("subscriptions.notifications.none-without-listen", "", "a change is told to who called for it"),
    switch("subscriptions.notifications.not-request-scoped", "", "progress comes on subscriptions").over(&[Http]),
    switch("subscriptions.multiple", "", "there can be one subscription at a time"),
    switch("subscriptions.resource-updated-delivered", "", "changes of resources are not announced"),
    switch("subscriptions.cancel-stdio", "", "a cancelled subscription goes on").over(&[Stdio]),
    switch("subscriptions.cancel-http", "", "once a subscription was closed there is no other").over(&[Http]),
    switch("subscriptions.no-state-across-reconnect", "", "who never subscribed is told of changes").over(&[Http]),
    switch("subscriptions.graceful-result-shape", "", "a subscription ends with a result that has no subscriptionId"),
    switch("subscriptions.old-methods-removed", "", "resources/subscribe is served in 2026-07-28"),
    switch("jsonrpc.meta.subscription-id-only-on-listen", "", "progress has a subscriptionId"),
];
