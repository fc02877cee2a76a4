//! Losses of one part.

use mapwright_scene::{Losses, Properties, Value};

use crate::Dialect;
use crate::scene::values::changes;

/// Reports losses of the part at a path.
pub(super) struct PartReport<'a> {
    pub(super) dialect: Dialect,
    pub(super) path: &'a str,
    pub(super) losses: &'a mut Losses,
}

impl PartReport<'_> {
    pub(super) fn dropped(&mut self, text: impl Into<String>) {
        self.losses.dropped(self.path, text);
    }

    pub(super) fn approximated(&mut self, text: impl Into<String>) {
        self.losses.approximated(self.path, text);
    }

    /// Applies each property that changed; removed ones are `None`. `apply` returns `None` for those that it cannot store.
    pub(super) fn apply_properties(
        &mut self,
        before: &Properties,
        now: &Properties,
        mut apply: impl FnMut(&str, Option<&Value>) -> Option<()>,
    ) {
        for (key, value) in changes(before, now) {
            if apply(key, value).is_none() {
                self.dropped(format!("property {key}"));
            }
        }
    }
}
