//! Faults of the area subscriptions.

use serde_json::{Value, json};
use wire::mcp::code;

use super::Edit::{Remove, Set};
use super::Hook::{Request, Switch};
use super::On::Notification;
use super::replies::{empty, error};
use super::{Fault, fault, rewrite};
use crate::Transport::{Http, Stdio};
use crate::core::{Call, Reply};
use crate::deviation::Deviation;

const UPDATED: &str = "notifications/resources/updated";
const ACKNOWLEDGED: &str = "notifications/subscriptions/acknowledged";

pub(super) static TABLE: &[Fault] = &[
    fault(
        "subscriptions.resource.subscribe-accepted",
        "",
        "resources/subscribe is unknown though it is declared",
        Request(|_, call| (call.method == SUBSCRIBE).then(|| error(code::METHOD_NOT_FOUND, "Method not found"))),
    ),
    fault(
        "subscriptions.resource.unsubscribe-accepted",
        "",
        "resources/unsubscribe is unknown",
        Request(|_, call| (call.method == UNSUBSCRIBE).then(|| error(code::METHOD_NOT_FOUND, "Method not found"))),
    ),
    fault(
        "subscriptions.resource.updated-on-change",
        "",
        "changes of resources are not announced",
        Switch(&[Deviation::UpdatesNotSent]),
    ),
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
    fault(
        "subscriptions.resource.updated-uri-known",
        "",
        "an update names another resource",
        Switch(&[Deviation::UpdatesNameOtherUri]),
    ),
    fault(
        "subscriptions.resource.updated-only-when-subscribed",
        "",
        "changes are announced to all",
        Switch(&[Deviation::UpdatesSentToAllSessions]),
    ),
    fault(
        "subscriptions.resource.quiet-after-unsubscribe",
        "",
        "unsubscribing has no effect",
        Switch(&[Deviation::UnsubscribeIgnored]),
    ),
    fault(
        "subscriptions.resource.undeclared-refused",
        "",
        "resources/subscribe is served though it is not declared",
        Switch(&[Deviation::SubscribeUndeclared]),
    ),
    fault(
        "subscriptions.resource.missing-uri",
        "",
        "a subscription without a uri is accepted",
        Request(|_, call| (is_old(call) && !call.params["uri"].is_string()).then(empty)),
    ),
    fault(
        "subscriptions.resource.missing-uri",
        "code",
        "a subscription without a uri gives -32603",
        Request(|_, call| {
            (is_old(call) && !call.params["uri"].is_string())
                .then(|| error(code::INTERNAL_ERROR, "uri could not be read"))
        }),
    ),
    fault(
        "subscriptions.listen.implemented",
        "",
        "subscriptions/listen is unknown",
        Request(|_, call| (call.method == LISTEN).then(|| error(code::METHOD_NOT_FOUND, "Method not found"))),
    ),
    fault(
        "subscriptions.listen.http-event-stream",
        "",
        "a subscription is answered with a result at once",
        Switch(&[Deviation::ListenAnsweredAtOnce]),
    )
    .over(&[Http]),
    fault(
        "subscriptions.listen.stays-open",
        "",
        "a subscription ends once it is acknowledged",
        Switch(&[Deviation::ListenEndsAfterAck]),
    ),
    fault(
        "subscriptions.listen.missing-filter",
        "",
        "a subscription without a filter is acknowledged",
        Request(|_, call| empty_filter_if(lacks_filter(call), call)),
    ),
    fault(
        "subscriptions.listen.missing-filter",
        "code",
        "a subscription without a filter gives -32603",
        Request(|_, call| lacks_filter(call).then(|| error(code::INTERNAL_ERROR, "the filter could not be read"))),
    ),
    fault(
        "subscriptions.listen.bad-filter-types",
        "",
        "a filter of the wrong type is taken for an empty one",
        Request(|_, call| empty_filter_if(has_bad_filter(call), call)),
    ),
    fault(
        "subscriptions.listen.bad-filter-types",
        "code",
        "a filter of the wrong type gives -32603",
        Request(|_, call| has_bad_filter(call).then(|| error(code::INTERNAL_ERROR, "the filter could not be read"))),
    ),
    fault(
        "subscriptions.listen.empty-filter",
        "",
        "a subscription to nothing is refused",
        Switch(&[Deviation::EmptyFilterRefused]),
    ),
    fault(
        "subscriptions.ack.sent",
        "",
        "subscriptions are not acknowledged",
        Switch(&[Deviation::ListenNotAcknowledged]),
    ),
    fault(
        "subscriptions.ack.first",
        "",
        "a notification comes before the acknowledgement",
        Switch(&[Deviation::ChangeBeforeAck]),
    ),
    fault(
        "subscriptions.ack.subscription-id",
        "",
        "the acknowledgement has the id as a string",
        Switch(&[Deviation::AckIdIsString]),
    ),
    fault(
        "subscriptions.ack.subscription-id",
        "missing",
        "the acknowledgement has no id",
        Switch(&[Deviation::AckWithoutId]),
    ),
    rewrite(
        "subscriptions.ack.filter-object",
        "",
        "the acknowledged filter is an array",
        &[(Notification(ACKNOWLEDGED), Set("/params/notifications", "[\"tools\"]"))],
    ),
    fault(
        "subscriptions.ack.subset",
        "",
        "everything is acknowledged whatever was asked for",
        Switch(&[Deviation::AckExceedsFilter]),
    ),
    fault(
        "subscriptions.ack.unsupported-omitted",
        "",
        "what the server does not declare is acknowledged",
        Switch(&[Deviation::AcknowledgesUndeclared]),
    ),
    fault(
        "subscriptions.ack.supported-honoured",
        "",
        "changes of the list of tools are left out",
        Switch(&[Deviation::AckLacksTools]),
    ),
    fault(
        "subscriptions.notifications.tagged",
        "",
        "an update has no subscriptionId",
        Switch(&[Deviation::UpdatesUntagged]),
    ),
    fault(
        "subscriptions.notifications.tagged",
        "other",
        "an update has the id of another subscription",
        Switch(&[Deviation::UpdatesTaggedForOther]),
    ),
    fault(
        "subscriptions.notifications.only-requested",
        "",
        "every subscription hears of changed resources",
        Switch(&[Deviation::UpdatesSentToAllListeners]),
    ),
    fault(
        "subscriptions.notifications.none-without-listen",
        "",
        "a change is told to who called for it",
        Switch(&[Deviation::UpdatesWithoutListen]),
    ),
    fault(
        "subscriptions.notifications.not-request-scoped",
        "",
        "progress comes on subscriptions",
        Switch(&[Deviation::ProgressOnSubscriptions]),
    )
    .over(&[Http]),
    fault(
        "subscriptions.multiple",
        "",
        "there can be one subscription at a time",
        Switch(&[Deviation::OneSubscriptionOnly]),
    ),
    fault(
        "subscriptions.resource-updated-delivered",
        "",
        "changes of resources are not announced",
        Switch(&[Deviation::UpdatesNotSent]),
    ),
    fault(
        "subscriptions.cancel-stdio",
        "",
        "a cancelled subscription goes on",
        Switch(&[Deviation::CancelledListenGoesOn]),
    )
    .over(&[Stdio]),
    fault(
        "subscriptions.cancel-http",
        "",
        "once a subscription was closed there is no other",
        Switch(&[Deviation::NoListenAfterCancel]),
    )
    .over(&[Http]),
    fault(
        "subscriptions.no-state-across-reconnect",
        "",
        "who never subscribed is told of changes",
        Switch(&[Deviation::UpdatesAfterReconnect]),
    )
    .over(&[Http]),
    fault(
        "subscriptions.graceful-result-shape",
        "",
        "a subscription ends with a result that has no subscriptionId",
        Switch(&[Deviation::ListenResultWithoutId]),
    ),
    fault(
        "subscriptions.old-methods-removed",
        "",
        "resources/subscribe is served in 2026-07-28",
        Request(|_, call| is_old(call).then(empty)),
    ),
    fault(
        "jsonrpc.meta.subscription-id-only-on-listen",
        "",
        "progress has a subscriptionId",
        Switch(&[Deviation::ProgressOnSubscriptions]),
    ),
];

const SUBSCRIBE: &str = "resources/subscribe";
const UNSUBSCRIBE: &str = "resources/unsubscribe";
const LISTEN: &str = "subscriptions/listen";

fn is_old(call: &Call) -> bool {
    [SUBSCRIBE, UNSUBSCRIBE].contains(&call.method.as_str())
}

fn lacks_filter(call: &Call) -> bool {
    call.method == LISTEN && call.params.get("notifications").is_none()
}

fn has_bad_filter(call: &Call) -> bool {
    call.method == LISTEN && call.params.get("notifications").is_some_and(|filter| !is_filter(filter))
}

/// Takes an ill filter for one of nothing.
fn empty_filter_if(applies: bool, call: &mut Call) -> Option<Reply> {
    if applies {
        call.params["notifications"] = json!({});
    }
    None
}

fn is_filter(filter: &Value) -> bool {
    let Some(members) = filter.as_object() else { return false };
    members
        .iter()
        .all(|(name, value)| if name == "resourceSubscriptions" { value.is_array() } else { value.is_boolean() })
}
