//! Views → cameras.

use mapwright_scene::{Camera, Content, Node, Projection};

use super::numbers::{finite, finite_tuple};
use crate::View;
use crate::scene::imported::ImportedScene;
use crate::scene::orbit::{AZIMUTH, DISTANCE, ELEVATION, Orbit, TRACKING};

/// Reads the views into nodes with cameras.
pub(super) fn read_views(imported: &mut ImportedScene) {
    for (index, view) in imported.model.views().iter().enumerate() {
        let orbit = read_orbit(view);
        let id = imported.scene.cameras.push(Camera {
            projection: Projection::Perspective { fov_y: finite_number(view, "fov").to_radians() },
            near: finite_number(view, "hither"),
            far: Some(finite_number(view, "yon")),
            aspect: None,
            target: Some(orbit.target),
            properties: orbit.to_properties(),
        });
        let name = view.name().map_or_else(String::new, |name| name.as_str().to_owned());
        let node = Node {
            transform: orbit.transform(),
            key: Some(format!("views[{index}]")),
            ..Node::new(name, Content::Camera(id))
        };
        imported.scene.add_node(None, node);
    }
}

fn read_orbit(view: &View) -> Orbit {
    let aim = view.props.get("aim").and_then(finite_tuple).unwrap_or_default();
    Orbit {
        // Files negate the point. Subtracted, so that a zero does not become a negative one.
        target: aim.map(|c: f64| 0.0 - c),
        distance: finite_number(view, DISTANCE),
        azimuth: finite_number(view, AZIMUTH),
        elevation: finite_number(view, ELEVATION),
        tracking: view.props.get(TRACKING).and_then(finite_tuple).unwrap_or_default(),
    }
}

/// Returns a number of a view, or the default of Wings if it is missing or not finite.
fn finite_number(view: &View, key: &str) -> f64 {
    view.props.get(key).and_then(finite).unwrap_or_else(|| View::default_number(key))
}
