//! Connections → outputs.

use mapwright_scene as scene;

use super::plan::Plan;
use super::values::clean_text;
use crate::{Connection, Separator};

/// Plans the outputs of an entity.
pub(super) fn plan_outputs(
    plan: &mut Plan<'_>,
    connections: &[scene::Connection],
    path: &str,
) -> Vec<(String, Connection)> {
    let mut outputs = Vec::with_capacity(connections.len());
    for connection in connections {
        let mut text = |text: &str| clean_text(&text.replace('\u{1B}', " "), path, &mut plan.losses);
        let name = text(&connection.output);
        let [target, input, parameter] =
            [&connection.target, &connection.input, &connection.parameter].map(|field| text(field));
        if name.is_empty() {
            plan.losses.dropped(path, "output without a name");
            continue;
        }
        if connection.target_type.is_some() {
            plan.losses.dropped(path, "kind of the target of an output");
        }
        let delay = if connection.delay.is_finite() { connection.delay } else { 0.0 };
        if delay != connection.delay {
            plan.losses.repaired(path, "delay of an output that is not finite, replaced by 0");
        }
        let times = connection.times.map_or(-1, i64::from);
        let mut planned = Connection { target, input, parameter, delay, times, separator: plan.separator };
        if Connection::parse(&planned.to_string()).as_ref() != Some(&planned) {
            planned.separator = Separator::Escape;
            plan.losses
                .approximated(path, "separator of an output with commas: the byte 0x1B, which only newer games read");
        }
        outputs.push((name, planned));
    }
    outputs
}
