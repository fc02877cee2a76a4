//! Bodies, textures and entities in world space, the same for all dialects.
//!
//! X points forward, Y left, Z up. Lengths are quants. Texture coordinates are texels, v down.

pub(crate) mod colour;
pub(crate) mod convex;
pub(crate) mod polygons;
pub(crate) mod texture;
pub(crate) mod transform;
mod walk;

use std::borrow::Borrow;
use std::fmt;

use crate::tree::{PartIndex, Tree};
use crate::{
    BlockFlags, Dialect, Document, Entity, EntityKind, Face, FaceFlags, MemberKind, Mesh, Name, PlaneFace, Shape,
};
use polygons::{HalfSpace, MAX_PLANES};
use texture::Mapping;
use transform::{add, apply, cross, dot, sub};
use walk::{WorldObject, walk};

mapwright_io::options! {
    /// Options for resolving.
    #[derive(Debug, Clone)]
    pub struct ResolveOptions {
        /// The precision of positions.
        pub precision: Precision = Precision::default(), with_precision;
    }
}

/// The precision of positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Precision {
    /// Double precision.
    #[default]
    Double,
    /// Single precision at each step. Reproduces the digits of resolved maps of the editor.
    Single,
}

/// Rounds to single precision.
pub(crate) fn single(value: f64) -> f64 {
    #[allow(clippy::cast_possible_truncation, reason = "that is what it is for")]
    let single = value as f32;
    single.into()
}

/// A map in world space.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Resolved {
    /// The blocks in the order of the tree.
    pub blocks: Vec<ResolvedBlock>,
    /// The entities in the order of the tree, without levels.
    pub entities: Vec<ResolvedEntity>,
    /// Sun, ambient light and fogs, if the map has a level.
    pub sun: Option<Sun>,
    /// Parts without a position or shape.
    pub gaps: Vec<Gap>,
}

/// A block in world space.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedBlock {
    /// Index in [`Document::blocks`].
    pub block: usize,
    /// The index of its object in [`Document::objects`].
    pub object: usize,
    /// The position of that object.
    pub origin: [f64; 3],
    /// The vertices. For A4 the intersections of the planes.
    pub vertices: Vec<[f64; 3]>,
    /// The faces, with the same indices as in the document.
    pub faces: Vec<ResolvedFace>,
}

/// A face in world space.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedFace {
    /// Vertex indices, clockwise seen from outside. Empty if the plane of an A4 face is outside of the body, or if a vertex index
    /// is out of range.
    pub corners: Vec<u32>,
    /// A4: the three points of the plane, clockwise seen from outside.
    pub plane: Option<[[f64; 3]; 3]>,
    /// The outward unit normal, or zero if the face has no area.
    pub normal: [f64; 3],
    /// The texture. `None` if the file has no entry for the face, which is drawn with the default texture.
    pub texture: Option<Name>,
    /// The final axes of the texture, U and V with a constant each. The point p shows the texel `U·(p, 1)`, `V·(p, 1)`.
    pub vectors: [[f64; 4]; 2],
    /// Rendering flags. Mirrors of A4 are as in later dialects. [`FaceFlags::LOCAL`] is removed, because the vectors include it.
    pub flags: FaceFlags,
}

/// An entity in world space.
#[derive(Debug, Clone, PartialEq)]
pub struct ResolvedEntity {
    /// Index in [`Document::entities`].
    pub entity: usize,
    /// The index of its object in [`Document::objects`].
    pub object: usize,
    /// Position. Regions store their box in world space. Paths of a resolved map are at their first node.
    pub position: [f64; 3],
    /// Rotation in the engine: rows of columns.
    pub rotation: [[f64; 3]; 3],
    /// The same rotation as the engine's angles: pan, tilt and roll in degrees from 0 to below 360.
    pub angles: [f64; 3],
    /// `true` if the compiler changes the heading a0 to 90° − a0, as for compiled maps with twenty skills. Rotation and angles
    /// include this.
    pub has_mirrored_heading: bool,
    /// The scale.
    pub scale: [f64; 3],
    /// The nodes of a path.
    pub nodes: Vec<[f64; 3]>,
    /// The colour of a light in percent.
    pub colour: Option<[f64; 3]>,
}

/// Sun, ambient light and fogs. Colours are percent, and `None` if the file has none.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sun {
    /// Azimuth in degrees.
    pub azimuth: f64,
    /// Elevation in degrees.
    pub elevation: f64,
    /// The colour of the sun.
    pub colour: Option<[f64; 3]>,
    /// The colour of ambient light.
    pub ambient: Option<[f64; 3]>,
    /// The colours of fogs.
    pub fogs: Vec<[f64; 3]>,
}

/// A part without a position or shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Gap {
    /// The kind.
    pub what: MemberKind,
    /// The number.
    pub number: u32,
    /// The problem.
    pub kind: GapKind,
}

/// A reason why a part has no position or shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum GapKind {
    /// The part is not in the tree of the root, so the level does not contain it.
    Unowned,
    /// The block has more than 1024 planes. It has no polygons.
    Planes,
    /// Faces have vertex indices out of range. They have no vertices.
    Vertices,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.kind {
            GapKind::Unowned => "is not below the root",
            GapKind::Planes => "has too many planes",
            GapKind::Vertices => "has faces with vertex indices out of range",
        };
        write!(f, "{} {} {why}", self.what.word(), self.number)
    }
}

impl Document {
    /// Resolves the map.
    pub fn resolve(&self) -> Resolved {
        self.resolve_with(&ResolveOptions::default())
    }

    /// Resolves the map with the given options.
    pub fn resolve_with(&self, options: &ResolveOptions) -> Resolved {
        let mut resolver = Resolver { document: self, precision: options.precision, resolved: Resolved::default() };
        resolver.resolved.sun = self.level().map(|level| {
            let mut colours = level.colours.iter().map(|colour| colour::level_to_percent(self.dialect, *colour));
            Sun {
                azimuth: level.azimuth,
                elevation: level.elevation,
                colour: colours.next(),
                ambient: colours.next(),
                fogs: colours.collect(),
            }
        });
        let tree = Tree::new(self);
        walk(self, &tree, options.precision, |place, holder| match place {
            PartIndex::Block(block) => resolver.block(block, holder),
            PartIndex::Entity(entity) => resolver.entity(entity, holder),
            PartIndex::Object(_) => {}
        });
        resolver.unowned(&tree);
        resolver.resolved
    }
}

struct Resolver<'a> {
    document: &'a Document,
    precision: Precision,
    resolved: Resolved,
}

impl Resolver<'_> {
    fn block(&mut self, at: usize, holder: &WorldObject) {
        let block = &self.document.blocks[at];
        let gap = |kind| Gap { what: MemberKind::Block, number: block.number, kind };
        let world = |point: [f64; 3]| {
            self.precision.point(add(self.precision.point(apply(&holder.matrix, point)), holder.position))
        };
        let (vertices, faces) = match &block.shape {
            Shape::Planes(faces) => {
                if faces.len() > MAX_PLANES {
                    self.resolved.gaps.push(gap(GapKind::Planes));
                }
                planes(faces, world)
            }
            Shape::Mesh(mesh) => {
                let vertices: Vec<_> = mesh.vertices.iter().copied().map(world).collect();
                let faces: Vec<_> = self.faces(block.flags, mesh, &vertices, holder.position);
                if faces.iter().zip(&mesh.faces).any(|(face, stored)| face.corners.len() != stored.corners.len()) {
                    self.resolved.gaps.push(gap(GapKind::Vertices));
                }
                (vertices, faces)
            }
        };
        let (object, origin) = (holder.object, holder.position);
        self.resolved.blocks.push(ResolvedBlock { block: at, object, origin, vertices, faces });
    }

    fn entity(&mut self, at: usize, holder: &WorldObject) {
        let Some((entity, object)) = self.document.entities.get(at).zip(self.document.objects.get(holder.object))
        else {
            return;
        };
        let dialect = self.document.dialect;
        let is_mirrored = has_mirrored_heading(dialect, entity);
        let rotation = transform::entity_rotation(dialect, object.angles, is_mirrored);
        let mut position = holder.position;
        let (mut scale, mut nodes, mut colour) = (object.scale, Vec::new(), None);
        match &entity.kind {
            EntityKind::Level(_) => return,
            EntityKind::Model(model) if dialect != Dialect::Binary => scale = model.scale,
            EntityKind::Light(light) => colour = Some(colour::light_to_percent(dialect, light.colour)),
            EntityKind::Path(path) if dialect == Dialect::Resolved => {
                nodes = path.nodes.iter().map(|node| node.point).collect();
                position = nodes.first().copied().unwrap_or(position);
            }
            EntityKind::Path(path) => {
                nodes.extend(path.nodes.iter().map(|node| {
                    let turned = self.precision.point(apply(&rotation, node.point));
                    self.precision.point(add(turned, position))
                }));
            }
            _ => {}
        }
        let angles = transform::engine_angles(&rotation);
        let object = holder.object;
        let entity = ResolvedEntity {
            entity: at,
            object,
            position,
            rotation,
            angles,
            has_mirrored_heading: is_mirrored,
            scale,
            nodes,
            colour,
        };
        self.resolved.entities.push(entity);
    }

    /// Reports parts that are not below the root.
    fn unowned(&mut self, tree: &Tree) {
        // The first objects of the order are below the root.
        let mut rooted = vec![false; self.document.objects.len()];
        for object in tree.order.iter().take(tree.rooted) {
            if let Some(rooted) = rooted.get_mut(*object) {
                *rooted = true;
            }
        }
        let hangs = |holder: &Option<usize>| holder.is_some_and(|object| rooted.get(object) == Some(&true));
        let gap = |what, number| Gap { what, number, kind: GapKind::Unowned };
        let blocks = self.document.blocks.iter().zip(&tree.blocks).filter(|(_, holder)| !hangs(holder));
        self.resolved.gaps.extend(blocks.map(|(block, _)| gap(MemberKind::Block, block.number)));
        let entities = self.document.entities.iter().zip(&tree.entities).filter(|(_, holder)| !hangs(holder));
        // Levels have no position.
        let placed = entities.filter(|(entity, _)| entity.member_kind() != MemberKind::Level);
        self.resolved.gaps.extend(placed.map(|(entity, _)| gap(entity.member_kind(), entity.number)));
    }

    /// Resolves the faces of a mesh.
    fn faces(&self, flags: BlockFlags, mesh: &Mesh, vertices: &[[f64; 3]], origin: [f64; 3]) -> Vec<ResolvedFace> {
        let of = |face: &Face| {
            let points: Option<Vec<_>> = face.corners.iter().map(|corner| get(vertices, *corner)).collect();
            let normal = points.as_deref().map_or([0.0; 3], outward);
            let mapping = Mapping {
                vectors: face.vectors.as_deref(),
                numbers: face.mapping.as_deref(),
                uvs: face.uvs.is_some(),
                local: texture::is_local(self.document.dialect, flags, face.flags),
            };
            ResolvedFace {
                corners: if points.is_some() { face.corners.to_vec() } else { Vec::new() },
                plane: None,
                normal,
                texture: (!face.bare).then(|| face.texture.clone()),
                vectors: texture::finish(&mapping, normal, origin),
                flags: FaceFlags(face.flags.0 & !FaceFlags::LOCAL.0),
            }
        };
        mesh.faces.iter().map(of).collect()
    }
}

/// Computes the polygons of an A4 block.
fn planes(faces: &[PlaneFace], world: impl Fn([f64; 3]) -> [f64; 3]) -> (Vec<[f64; 3]>, Vec<ResolvedFace>) {
    let points: Vec<_> = faces.iter().map(|face| face.points.map(&world)).collect();
    let sides: Vec<_> = points.iter().map(|points| HalfSpace::new(*points)).collect();
    let (vertices, polygons) =
        if faces.len() > MAX_PLANES { (Vec::new(), Vec::new()) } else { polygons::intersect(&sides) };
    let mut polygons = polygons.into_iter();
    let of = |((face, points), side): ((&PlaneFace, [[f64; 3]; 3]), Option<HalfSpace>)| {
        let normal = side.map_or([0.0; 3], |side| side.normal);
        let mapping = Mapping { vectors: None, numbers: Some(&face.mapping), uvs: false, local: false };
        let mirror = if face.flags2.0 & 1 << 7 == 0 { 0 } else { FaceFlags::MIRROR.0 };
        ResolvedFace {
            corners: polygons.next().unwrap_or_default(),
            plane: Some(points),
            normal,
            texture: Some(face.texture.clone()),
            vectors: texture::finish(&mapping, normal, [0.0; 3]),
            flags: FaceFlags(face.flags.0 | mirror),
        }
    };
    let faces = faces.iter().zip(points).zip(sides).map(of).collect();
    (vertices, faces)
}

fn get(vertices: &[[f64; 3]], corner: u32) -> Option<[f64; 3]> {
    vertices.get(usize::try_from(corner).ok()?).copied()
}

/// Returns the normal of a polygon that is clockwise seen from outside: outward, of length 1, or zero if it has no area.
pub(crate) fn outward(points: impl IntoIterator<Item = impl Borrow<[f64; 3]>>) -> [f64; 3] {
    let mut points = points.into_iter();
    let Some(first) = points.next() else { return [0.0; 3] };
    let first = *first.borrow();
    let mut normal = [0.0; 3];
    let mut before = [0.0; 3];
    for point in points {
        // Relative to the first point: far from the origin, products would cancel each other.
        let point = sub(*point.borrow(), first);
        normal = add(normal, cross(point, before));
        before = point;
    }
    let length = dot(normal, normal).sqrt();
    if length > 0.0 { normal.map(|part| part / length) } else { [0.0; 3] }
}

/// Returns `true` if the compiler changes the heading a0 of an entity to 90° − a0.
pub(crate) fn has_mirrored_heading(dialect: Dialect, entity: &Entity) -> bool {
    let EntityKind::Model(model) = &entity.kind else { return false };
    let is_map = |file: &[u8]| file.last_chunk::<4>().is_some_and(|end| end.eq_ignore_ascii_case(b".wmb"));
    matches!(dialect, Dialect::A7 | Dialect::Binary) && model.skills.len() == 20 && is_map(model.file.as_bytes())
}

#[cfg(test)]
mod tests;
