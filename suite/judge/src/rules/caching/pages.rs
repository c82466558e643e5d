//! All pages of one list have one `cacheScope`. (Their `ttlMs` may differ.)

use serde_json::Value;

use crate::{Case, Collector, Rule, View};

pub(super) const RULE: Rule = Rule { name: "caching/pages", judges: &["caching.scope-uniform-over-pages"], judge };

const ID: &str = RULE.judges[0];

fn judge(view: &View<'_>, collector: &mut Collector) {
    for case in view.cases().filter(|case| case.param("cursor").is_some()) {
        let (Some(scope), Some(before)) = (scope(&case), before(&case)) else { continue };
        let Some(first) = self::scope(&before) else { continue };
        collector.check(ID, scope == first, || {
            let message = "The pages of one list differ in cacheScope, so a shared cache may keep some of them and mix private data with public data.";
            let mut finding = case.finding(message, "the cacheScope of the previous page");
            finding.place = case.method().map(str::to_owned);
            finding.actual = format!("{scope:?} after {first:?}");
            finding.wire.splice(0..0, before.wire());
            finding
        });
    }
    collector.not_observed(ID, "no list has a second page");
}

/// One of the two values there are: other ones are told elsewhere.
fn scope<'v>(case: &Case<'v>) -> Option<&'v str> {
    let scope = case.result()?.get("cacheScope")?.as_str()?;
    matches!(scope, "public" | "private").then_some(scope)
}

/// The last page before this one in its session that gave out its cursor.
fn before<'v>(case: &Case<'v>) -> Option<Case<'v>> {
    let cursor = case.param("cursor")?;
    let earlier = case.session.exchanges.iter().filter(|exchange| exchange.seq < case.exchange.seq).rev();
    let mut earlier = earlier.map(|exchange| Case { exchange, ..*case });
    earlier.find(|other| {
        let next = other.result().and_then(|result| result.get("nextCursor"));
        other.method() == case.method() && next.is_some_and(Value::is_string) && next == Some(cursor)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use verdict::{Revision, Status};

    use super::ID;
    use crate::testing::Script;

    fn page(ttl: u32, scope: &str, next: Option<&str>) -> Value {
        let mut result = json!({"resultType": "complete", "prompts": [], "ttlMs": ttl, "cacheScope": scope});
        if let Some(next) = next {
            result["nextCursor"] = json!(next);
        }
        json!({"result": result})
    }

    fn walked(pages: [(u32, &str); 2]) -> Script {
        let script = Script::new(Revision::V2026_07_28, json!({"prompts": {}}));
        let script = script.plain("prompts/list", json!({}), page(pages[0].0, pages[0].1, Some("2")));
        script.plain("prompts/list", json!({"cursor": "2"}), page(pages[1].0, pages[1].1, None))
    }

    #[test]
    fn pages_agree_on_who_may_keep_them() {
        assert_eq!(walked([(0, "public"), (0, "public")]).status_of(ID), Status::Pass);
        assert_eq!(walked([(0, "public"), (0, "private")]).status_of(ID), Status::Fail);
    }

    #[test]
    fn how_long_they_may_be_kept_can_differ() {
        assert_eq!(walked([(0, "private"), (9, "private")]).status_of(ID), Status::Pass);
    }

    #[test]
    fn one_page_shows_nothing_and_ill_values_are_told_elsewhere() {
        let script = Script::new(Revision::V2026_07_28, json!({"prompts": {}}));
        let script = script.plain("prompts/list", json!({}), page(0, "public", None));
        assert_eq!(script.status_of(ID), Status::NotObserved);
        assert_eq!(walked([(0, "public"), (0, "shared")]).status_of(ID), Status::NotObserved);
    }
}
