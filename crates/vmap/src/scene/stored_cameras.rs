//! Cameras of the editor.

use mapwright_dmx::{ElementRef, Value};

/// Position and target of the editor's camera in a new map. Such a camera gets no node.
pub(super) const DEFAULT_VIEW: ([f32; 3], [f32; 3]) = ([0.0, -1000.0, 1000.0], [0.0; 3]);

/// Names of nodes for cameras without a name: the editor's own camera, a camera that the user stored.
pub(super) const DEFAULT_NAMES: [&str; 2] = ["default camera", "camera"];

/// Returns position and target of a camera.
pub(super) fn view(camera: ElementRef<'_>) -> ([f32; 3], [f32; 3]) {
    let point = |name, default| if let Some(Value::Vector3(point)) = camera.get(name) { *point } else { default };
    (point("position", DEFAULT_VIEW.0), point("lookat", DEFAULT_VIEW.1))
}
