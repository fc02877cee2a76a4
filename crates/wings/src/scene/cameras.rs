//! Views: cameras that orbit a point.

use mapwright_scene::{Camera, Content, Node, Projection, Properties, Scene, Transform, Value, Visit, transform};

use super::from::{Entry, Writer};
use super::terms::{all_finite, finite, make, report_unread, set_float, set_floats, to_degrees};
use super::to::Reading;
use crate::{View, WriteError};

/// The camera as Wings has it: angles in degrees, `aim` without the negation of files.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Orbit {
    /// The point it turns around.
    target: [f64; 3],
    distance: f64,
    azimuth: f64,
    elevation: f64,
    /// How far it is moved sideways and up.
    tracking: [f64; 2],
}

const DISTANCE: &str = "distance_to_aim";
const AZIMUTH: &str = "azimuth";
const ELEVATION: &str = "elevation";
const TRACKING: &str = "tracking";

impl Orbit {
    fn read(view: &View) -> Self {
        let number = |key: &str, preset: f64| view.props.get(key).and_then(finite).unwrap_or(preset);
        let aim = view.props.get("aim").and_then(all_finite).unwrap_or_default();
        Self {
            // Stored negated. Subtracted, so that a zero does not become a negative one.
            target: aim.map(|c: f64| 0.0 - c),
            distance: number(DISTANCE, 8.0),
            azimuth: number(AZIMUTH, -45.0),
            elevation: number(ELEVATION, 25.0),
            tracking: view.props.get(TRACKING).and_then(all_finite).unwrap_or_default(),
        }
    }

    /// Where the camera stands, and how it is turned: by the elevation about X, then by the azimuth about Y.
    fn transform(&self) -> Transform {
        let (sin_y, cos_y) = (-self.azimuth.to_radians() / 2.0).sin_cos();
        let (sin_x, cos_x) = (-self.elevation.to_radians() / 2.0).sin_cos();
        let rotation = [cos_y * sin_x, sin_y * cos_x, -sin_y * sin_x, cos_y * cos_x];
        let turn = Transform::Trs { translation: [0.0; 3], rotation, scale: [1.0; 3] };
        let [x, y] = self.tracking;
        let translation = transform::add(self.target, turn.vector([-x, -y, self.distance]));
        Transform::Trs { translation, rotation, scale: [1.0; 3] }
    }

    /// The orbit as free properties, for the way back.
    fn to_properties(self) -> Properties {
        let mut properties = Properties::new();
        properties.push(DISTANCE, self.distance);
        properties.push(AZIMUTH, self.azimuth);
        properties.push(ELEVATION, self.elevation);
        properties.push(TRACKING, self.tracking.map(Value::Float).to_vec());
        properties
    }

    fn from_properties(properties: &Properties, target: [f64; 3]) -> Option<Self> {
        let number = |key: &str| properties.get(key).and_then(Value::as_f64);
        let Some(Value::List(tracking)) = properties.get(TRACKING) else { return None };
        let [x, y] = tracking.as_slice() else { return None };
        Some(Self {
            target,
            distance: number(DISTANCE)?,
            azimuth: number(AZIMUTH)?,
            elevation: number(ELEVATION)?,
            tracking: [x.as_f64()?, y.as_f64()?],
        })
    }

    /// The orbit of a camera at a place that looks somewhere, around a point. Also says whether it had to be turned upright.
    fn around(world: &Transform, target: [f64; 3]) -> (Self, bool) {
        let axis = |v| transform::normalize(world.vector(v));
        let forward = axis([0.0, 0.0, -1.0]).unwrap_or([0.0, 0.0, -1.0]);
        let elevation = (-forward[1]).clamp(-1.0, 1.0).asin().to_degrees();
        let level = forward[0].hypot(forward[2]);
        let azimuth = if level > 1e-9 {
            forward[0].atan2(-forward[2]).to_degrees()
        } else {
            // Straight down or up: the way its right hand points tells the azimuth.
            axis([1.0, 0.0, 0.0]).map_or(0.0, |right| right[2].atan2(right[0]).to_degrees())
        };
        let mut orbit = Self { target, distance: 0.0, azimuth, elevation, tracking: [0.0; 2] };
        let turn = orbit.transform();
        let away = transform::sub(world.origin(), target);
        let along = |v| transform::dot(turn.vector(v), away);
        orbit.distance = along([0.0, 0.0, 1.0]);
        let [x, y] = [along([1.0, 0.0, 0.0]), along([0.0, 1.0, 0.0])];
        // What is only rounding is no tracking.
        let tiny = 1e-12 * transform::dot(away, away).sqrt().max(1.0);
        orbit.tracking = [x, y].map(|c| if c.abs() <= tiny { 0.0 } else { -c });
        let up = axis([0.0, 1.0, 0.0]).unwrap_or([0.0, 1.0, 0.0]);
        let rolled = transform::dot(up, turn.vector([0.0, 1.0, 0.0])) < 1.0 - 1e-9;
        (orbit, rolled)
    }
}

/// Reads the views into nodes with cameras.
pub(super) fn read(reading: &mut Reading) {
    for (index, view) in reading.model.views().iter().enumerate() {
        let number = |key: &str, preset: f64| view.props.get(key).and_then(finite).unwrap_or(preset);
        let orbit = Orbit::read(view);
        let id = reading.scene.cameras.push(Camera {
            projection: Projection::Perspective { fov_y: number("fov", 45.0).to_radians() },
            near: number("hither", 0.1),
            far: Some(number("yon", 10_000.0)),
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
        reading.scene.add_node(None, node);
    }
}

impl<'a> Writer<'a> {
    /// Writes the cameras.
    pub(super) fn cameras(&mut self, found: &[Visit<'a>]) -> Result<(), WriteError> {
        let olds = self.model.views();
        let camera = |scene: &'a Scene, content: &Content| match content {
            Content::Camera(id) => scene.cameras.get(*id),
            _ => None,
        };
        let views = self.entries("views", &olds, found, camera, |writer, view, entry| {
            let mut view = view.unwrap_or(View { props: crate::PropList::default() });
            if entry.visit.parent.is_some() {
                writer.losses.approximated(&entry.path, "camera in a group, beside it");
            }
            if !entry.is_same() {
                writer.write_view(&mut view, entry)?;
            }
            Ok(view)
        })?;
        if views != olds {
            if views.len() < olds.len() {
                self.model.set_current_view(None)?;
            }
            report_unread(&self.model, "views", olds.len(), &mut self.losses);
            self.model.set_views(&views)?;
        }
        Ok(())
    }

    fn write_view(&mut self, view: &mut View, entry: &Entry<'_, 'a, Camera>) -> Result<(), WriteError> {
        let Entry { visit, new, old, path } = entry;
        let node = visit.node;
        if old.is_none_or(|(old, _)| old.name != node.name) {
            view.props.set("name", &make(|term| term.text(&node.name))?)?;
        }
        if !visit.visible || node.locked {
            self.losses.dropped(path, "hidden or locked camera");
        }
        let moved = |(old_node, old): (&Node, &Camera)| {
            old_node.transform != node.transform || old.target != new.target || old.properties != new.properties
        };
        if old.is_none_or(moved) || visit.parent.is_some() {
            let orbit = self.orbit(visit, new, path);
            set_floats(&mut view.props, "aim", &orbit.target.map(|c| 0.0 - c))?;
            set_float(&mut view.props, DISTANCE, orbit.distance)?;
            set_float(&mut view.props, AZIMUTH, orbit.azimuth)?;
            set_float(&mut view.props, ELEVATION, orbit.elevation)?;
            set_floats(&mut view.props, TRACKING, &orbit.tracking)?;
        }
        if old.is_none_or(|(_, old)| old.projection != new.projection) {
            let fov = match new.projection {
                Projection::Perspective { fov_y } => to_degrees(fov_y),
                Projection::Orthographic { .. } => 45.0,
            };
            set_float(&mut view.props, "fov", fov)?;
        }
        if old.is_none_or(|(_, old)| old.near != new.near) {
            set_float(&mut view.props, "hither", new.near)?;
        }
        if old.is_none_or(|(_, old)| old.far != new.far) {
            if new.far.is_none() {
                self.losses.synthesized(path, "far plane at 10000");
            }
            set_float(&mut view.props, "yon", new.far.unwrap_or(10_000.0))?;
        }
        if new.aspect.is_some() {
            self.losses.dropped(path, "aspect of the picture");
        }
        Ok(())
    }

    /// The orbit that the properties tell, if it still leads to where the camera is; else one that does.
    fn orbit(&mut self, visit: &Visit<'_>, new: &Camera, path: &str) -> Orbit {
        let stored = new.target.and_then(|target| Orbit::from_properties(&new.properties, target));
        if let Some(stored) = stored
            && visit.parent.is_none()
            && stored.transform() == visit.node.transform
        {
            if new.properties.len() > 4 {
                self.losses.dropped(path, "properties of the camera");
            }
            return stored;
        }
        if !new.properties.is_empty() {
            self.losses.dropped(path, "properties of the camera that contradict its place");
        }
        let above = self.world(visit.parent);
        let target = match new.target {
            Some(target) => above.point(target),
            None => {
                let forward = transform::normalize(visit.world.vector([0.0, 0.0, -1.0])).unwrap_or([0.0, 0.0, -1.0]);
                transform::add(visit.world.origin(), transform::scale(forward, 8.0))
            }
        };
        self.losses.synthesized(path, "orbit of the camera: angles and the point it turns around");
        let (orbit, rolled) = Orbit::around(&visit.world, target);
        if rolled {
            self.losses.approximated(path, "roll of the camera, which stands upright");
        }
        orbit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_stands_where_the_program_has_it() {
        let orbit =
            Orbit { target: [-1.0, -2.0, -3.0], distance: 5.0, azimuth: 90.0, elevation: 30.0, tracking: [0.5, 0.25] };
        let transform = orbit.transform();
        let expected = [-5.455_127_018_92, 0.283_493_649_05, -3.5];
        assert!(transform.origin().iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-10), "{transform:?}");
        let back = Orbit::around(&transform, orbit.target);
        let pairs = [
            (back.0.distance, 5.0),
            (back.0.azimuth, 90.0),
            (back.0.elevation, 30.0),
            (back.0.tracking[0], 0.5),
            (back.0.tracking[1], 0.25),
        ];
        assert!(!back.1 && pairs.iter().all(|(a, b)| (a - b).abs() < 1e-9), "{back:?}");
        let again = Orbit::from_properties(&orbit.to_properties(), orbit.target);
        assert_eq!(again, Some(orbit));
    }

    #[test]
    fn cameras_that_look_straight_down_keep_their_azimuth() {
        for azimuth in [-100.0, 0.0, 35.0] {
            let orbit = Orbit { target: [0.0; 3], distance: 4.0, azimuth, elevation: 90.0, tracking: [0.0; 2] };
            let (back, rolled) = Orbit::around(&orbit.transform(), [0.0; 3]);
            assert!(!rolled && (back.azimuth - azimuth).abs() < 1e-6, "{back:?}");
        }
    }
}
