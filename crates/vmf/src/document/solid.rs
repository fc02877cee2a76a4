//! Read access to solids and their sides.

use std::borrow::Cow;
use std::fmt;

use mapwright_keyvalues::kv1::Item;

use super::displacement::Displacement;
use super::editor::EditorData;
use super::value::{self, Member};

/// A convex body, bounded by the planes of its sides.
#[derive(Clone, Copy)]
pub struct Solid<'a> {
    member: Member<'a>,
    is_entity_hidden: bool,
}

impl<'a> Solid<'a> {
    pub(crate) fn from_member(member: Member<'a>, is_entity_hidden: bool) -> Self {
        Self { member, is_entity_hidden }
    }

    /// Returns the block of the solid.
    pub fn item(self) -> Item<'a> {
        self.member.item
    }

    /// Returns the block that exists only for the solid: a block `hidden`, or else its own block.
    pub(crate) fn outer(self) -> Item<'a> {
        self.member.outer()
    }

    /// Returns the id. Files can contain an id several times.
    pub fn id(self) -> Option<i64> {
        value::integer(self.item(), "id")
    }

    /// Returns `true` if the solid or its entity is in a block `hidden`.
    pub fn is_hidden(self) -> bool {
        self.is_entity_hidden || self.member.wrapper.is_some()
    }

    /// Iterates over the sides, in the order of the text.
    pub fn sides(self) -> impl Iterator<Item = Side<'a>> + Clone {
        value::blocks(self.item().items(), "side").map(|item| Side { item })
    }

    /// Returns `true` if a side has a displacement. Games draw only such sides of the solid.
    pub fn has_displacements(self) -> bool {
        self.sides().any(|side| side.displacement().is_some())
    }

    /// Returns the data of the editor.
    pub fn editor(self) -> Option<EditorData<'a>> {
        EditorData::of(self.item())
    }
}

/// A side of a solid: a plane with a texture.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    item: Item<'a>,
}

/// A direction of a texture: texel = point · direction / scale + shift.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextureAxis {
    /// The direction in the world.
    pub direction: [f64; 3],
    /// The offset in texels.
    pub shift: f64,
    /// Units per texel.
    pub scale: f64,
}

impl<'a> Side<'a> {
    /// Returns the block of the side.
    pub fn item(self) -> Item<'a> {
        self.item
    }

    /// Returns the id, to which overlays and cubemaps refer. Files can contain an id several times.
    pub fn id(self) -> Option<i64> {
        value::integer(self.item, "id")
    }

    /// Returns three points of the plane, clockwise as seen from outside.
    pub fn plane(self) -> Option<[[f64; 3]; 3]> {
        let [a, b, c, d, e, f, g, h, i] = value::numbers(self.item, "plane")?;
        Some([[a, b, c], [d, e, f], [g, h, i]])
    }

    /// Returns the corners that Hammer++ stores, clockwise as seen from outside. `None` if there are none, or if one is malformed.
    pub fn stored_vertices(self) -> Option<Vec<[f64; 3]>> {
        let block = value::block(self.item, "vertices_plus")?;
        block.items().filter(|item| item.is("v")).map(|item| value::parse_numbers(&item.text()?)).collect()
    }

    /// Returns the path of the material without `materials/` and `.vmt`.
    pub fn material(self) -> Option<Cow<'a, str>> {
        value::text(self.item, "material")
    }

    /// Returns the horizontal axis of the texture.
    pub fn u_axis(self) -> Option<TextureAxis> {
        self.axis("uaxis")
    }

    /// Returns the vertical axis of the texture, from the top down.
    pub fn v_axis(self) -> Option<TextureAxis> {
        self.axis("vaxis")
    }

    fn axis(self, key: &str) -> Option<TextureAxis> {
        let [x, y, z, shift, scale] = value::numbers(self.item, key)?;
        Some(TextureAxis { direction: [x, y, z], shift, scale })
    }

    /// Returns the rotation of the texture in degrees, which the axes already contain.
    pub fn rotation(self) -> Option<f64> {
        value::number(self.item, "rotation")
    }

    /// Returns the units per texel of the light map.
    pub fn lightmap_scale(self) -> Option<f64> {
        value::number(self.item, "lightmapscale")
    }

    /// Returns the smoothing groups, one bit each. Edges between sides with a common bit are smooth.
    pub fn smoothing_groups(self) -> Option<u32> {
        value::integer(self.item, "smoothing_groups").and_then(|number| u32::try_from(number).ok())
    }

    /// Returns the displacement.
    pub fn displacement(self) -> Option<Displacement<'a>> {
        value::block(self.item, "dispinfo").map(Displacement::from_block)
    }
}

impl fmt::Debug for Solid<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solid")
            .field("id", &self.id())
            .field("sides", &self.sides().collect::<Vec<_>>())
            .field("is_hidden", &self.is_hidden())
            .finish()
    }
}

impl fmt::Debug for Side<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Side")
            .field("id", &self.id())
            .field("plane", &self.plane())
            .field("material", &self.material())
            .field("u_axis", &self.u_axis())
            .field("v_axis", &self.v_axis())
            .field("displacement", &self.displacement())
            .finish()
    }
}
