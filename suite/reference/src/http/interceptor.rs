//! Where others have a say in what HTTP requests are answered with: a conforming server has no interceptor.

use super::Asked;
use super::answer::Answer;
use super::check::Posted;
use super::hub::Hub;

/// Sees requests before their route, and answers after it. Every method does nothing unless implemented.
pub(crate) trait Interceptor: Send + Sync {
    /// Called before a request is routed; an answer ends it there.
    fn request(&self, _hub: &Hub, _asked: &mut Asked, _message: &mut Posted) -> Option<Answer> {
        None
    }

    /// Called with the answer to a request.
    fn answer(&self, _hub: &Hub, answer: Answer, _asked: &Asked, _message: &Posted) -> Answer {
        answer
    }

    /// The id of a session, if not the random one; `count` is how many there have been.
    fn session_id(&self, _count: u64, _random: &str) -> Option<String> {
        None
    }
}
