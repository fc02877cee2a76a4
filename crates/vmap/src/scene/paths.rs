//! Paths and cables.

use mapwright_dmx::{ElementId, ElementRef, Value};
use mapwright_scene::transform::sub;
use mapwright_scene::{Content, Node, Path, PathId, PathPoint, Properties, Transform};

use super::from::Writer;
use super::live::Live;
use super::to::{Reader, point};
use super::{AXES, angles, names};
use crate::WriteError;

/// Reads a path without its points.
pub(super) fn read(reader: &mut Reader<'_>, element: ElementRef<'_>) -> Content {
    let closed = matches!(element.get("closedLoop"), Some(Value::Bool(flag)) if *flag != 0);
    Content::Path(reader.reading.scene.paths.push(Path { closed, ..Path::default() }))
}

/// Reads the points of a path that stands at `world`. Points say where they are in the world; of tangents that is not known, they
/// are taken for directions of the world too.
pub(super) fn points<'a>(reader: &mut Reader<'a>, path: PathId, world: &Transform, points: &[ElementId]) {
    let collapses = !world.determinant().is_normal();
    let mut list = Vec::with_capacity(points.len());
    let mut lost = 0_usize;
    for element in points.iter().filter_map(|&id| reader.graph.element(id)) {
        let vector = |name| if let Some(Value::Vector3(v)) = element.get(name) { *v } else { [0.0; 3] };
        // Where something of the path is, as a place of something without turn or size.
        let local = |place: [f64; 3]| {
            let place = if collapses { return Some(place) } else { Transform::translation(place) };
            angles::local(world, &place).map(|local| local.origin())
        };
        let origin = local(point(vector("origin")));
        let [into, out] = ["inTangent", "outTangent"].map(|name| point(vector(name)));
        let straight = into == [0.0; 3] && out == [0.0; 3];
        let tangent = |t: [f64; 3]| {
            let [place, end] = [local([0.0; 3])?, local(t)?];
            Some([0, 1, 2].map(|i: usize| end.get(i).zip(place.get(i)).map_or(0.0, |(a, b)| a - b)))
        };
        let tangents = if straight { None } else { tangent(into).zip(tangent(out)).map(|(a, b)| [a, b]) };
        let finite = |p: &[f64; 3]| p.iter().all(|c| c.is_finite());
        let position = origin.filter(finite);
        lost += usize::from(position.is_none());
        let mut properties = Properties::new();
        reader.attributes(element, &names::POINT, &mut properties);
        list.push(PathPoint {
            position: position.unwrap_or_default(),
            tangents: tangents.filter(|tangents| tangents.iter().all(finite)),
            properties,
        });
    }
    if lost > 0 {
        reader.reading.losses.repaired("paths", format!("{lost} points that are nowhere"));
    }
    if let Some(path) = reader.reading.scene.paths.get_mut(path) {
        path.points = list;
    }
}

impl<'a> Writer<'a, '_, '_> {
    /// Writes a path: its points are known by their place.
    pub(super) fn path(
        &mut self,
        live: &Live,
        element: ElementId,
        id: PathId,
        old: Option<&'a Node>,
        path: &str,
    ) -> Result<(), WriteError> {
        let Some(new) = self.scene.paths.get(id) else { return Ok(()) };
        let before = old.and_then(|old| match old.content {
            Content::Path(id) => self.base?.scene.paths.get(id),
            _ => None,
        });
        if before.is_none_or(|before| before.closed != new.closed) && (new.closed || before.is_some()) {
            self.set(element, "closedLoop", Value::Bool(u8::from(new.closed)));
        }
        if !new.name.is_empty() {
            self.losses.dropped(path, format!("name {:?} of the path; the node has one", new.name));
        }
        if !new.edges.is_empty() {
            self.losses.dropped(path, "edges of the path, which goes from point to point");
        }
        if !new.properties.is_empty() {
            self.losses.dropped(path, "properties of the path; the node has some");
        }
        let elements: Vec<ElementId> = self
            .old
            .get(live.id.index())
            .copied()
            .flatten()
            .and_then(|old| self.base?.points.get(&old))
            .cloned()
            .unwrap_or_default();
        let moved = !self.old_world(live.id).is_some_and(|world| world == live.world);
        for (index, point) in new.points.iter().enumerate() {
            let was = before.and_then(|before| before.points.get(index));
            let (target, is_new) = match elements.get(index) {
                Some(&element) => (element, false),
                None => (self.editor.add_node(element, "CMapPathNode")?, true),
            };
            if was == Some(point) && !moved {
                continue;
            }
            self.point(live, target, point, was.filter(|_| !is_new), moved, path);
        }
        for &element in elements.iter().skip(new.points.len()) {
            self.editor.remove(element)?;
        }
        Ok(())
    }

    fn point(
        &mut self,
        live: &Live,
        element: ElementId,
        point: &PathPoint,
        was: Option<&PathPoint>,
        moved: bool,
        path: &str,
    ) {
        let back = AXES.inverse();
        if moved || was.is_none_or(|was| was.position != point.position) {
            let place = back.apply(live.world.point(point.position)).map(|c| self.narrow(c));
            self.set(element, "origin", Value::Vector3(place));
        }
        let turned = live.world.linear() != Transform::IDENTITY.linear();
        if was.is_none_or(|was| was.tangents != point.tangents) || (moved && turned && point.tangents.is_some()) {
            for (name, tangent) in names::POINT.into_iter().zip(point.tangents.unwrap_or_default()) {
                let tangent = sub(live.world.point(tangent), live.world.origin());
                let tangent = back.apply(tangent).map(|c| self.narrow(c));
                self.set(element, name, Value::Vector3(tangent));
            }
        }
        self.properties(element, &point.properties, was.map(|was| &was.properties), &names::POINT, path);
    }
}
