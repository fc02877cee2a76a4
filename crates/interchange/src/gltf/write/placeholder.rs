//! Placeholder boxes for models in other files.

use mapwright_scene::{PlaceholderBox, Transform, transform::normalize};

use super::{
    Writer, push,
    vertices::{Geometry, PLACED, single},
};
use crate::gltf::json::{self, Extras, Json, MaterialNote, MeshNote, Pbr, Primitive};

impl Writer<'_> {
    /// Returns the mesh of the box of a kind. Boxes and their materials follow all others, so that readers can skip them.
    pub(super) fn placeholder(&mut self, place: usize) -> Option<u32> {
        let kind = PlaceholderBox::ALL.get(place)?;
        if let Some(mesh) = self.places.placeholders.get(place).copied().flatten() {
            return Some(mesh);
        }
        let name = format!("placeholder {}", kind.name);
        let note = MeshNote { placeholder: true, ..MeshNote::default() };
        let mesh = self.boxes(kind, name, &[Transform::IDENTITY], Some(note));
        if let Some(known) = self.places.placeholders.get_mut(place) {
            *known = Some(mesh);
        }
        Some(mesh)
    }

    /// Returns the mesh of all boxes of a kind, with these transforms.
    pub(super) fn baked(&mut self, place: usize, name: String, places: &[Transform]) -> Option<u32> {
        Some(self.boxes(PlaceholderBox::ALL.get(place)?, name, places, None))
    }

    fn boxes(&mut self, kind: &PlaceholderBox, name: String, places: &[Transform], note: Option<MeshNote>) -> u32 {
        let [r, g, b] = kind.color;
        let material = json::Material {
            name: format!("placeholder {}", kind.name),
            pbr_metallic_roughness: Some(Pbr {
                base_color_factor: Some([r, g, b, 1.0]),
                metallic_factor: Some(0.0),
                ..Pbr::default()
            }),
            extras: Extras::new(Json::Null, Some(MaterialNote { placeholder: true, ..MaterialNote::default() })),
            ..json::Material::default()
        };
        let is_known = |known: &json::Material| {
            known.name == material.name && known.extras.note.as_ref().is_some_and(|note| note.placeholder)
        };
        let known = self.root.materials.iter().rposition(is_known).and_then(|known| u32::try_from(known).ok());
        let material = known.unwrap_or_else(|| push(&mut self.root.materials, material));
        let half = kind.size.map(|size| size / 2.0 / self.metres);
        let (words, indices) = cuboids(half, places);
        let geometry = Geometry { words, width: 6, indices };
        let (attributes, indices) = self.geometry(geometry, PLACED, None);
        let primitive =
            Primitive { attributes, indices: Some(indices), material: Some(material), ..Primitive::default() };
        let mesh = json::Mesh { name, primitives: vec![primitive], extras: Extras::new(Json::Null, note) };
        push(&mut self.root.meshes, mesh)
    }

    /// Returns half the height of the box of a kind.
    pub(super) fn half_height(&self, place: usize) -> f64 {
        PlaceholderBox::ALL.get(place).map_or(0.0, |kind| kind.size[1] / 2.0 / self.metres)
    }
}

/// Returns the rows and triangles of flat-shaded boxes with these transforms.
fn cuboids([half_x, half_y, half_z]: [f64; 3], places: &[Transform]) -> (Vec<u32>, Vec<u32>) {
    let mut words = Vec::with_capacity(places.len() * 24 * 6);
    let mut indices = Vec::with_capacity(places.len() * 36);
    let mut first = 0_u32;
    for place in places {
        let turned = place.mirrors();
        for side in 0..6_usize {
            let (axis, sign) = (side / 2, if side % 2 == 0 { 1.0 } else { -1.0 });
            let mut normal = [sign, 0.0, 0.0];
            normal.rotate_right(axis);
            let normal = normalize(place.normal(normal)).unwrap_or(normal);
            for (u, v) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                // The other two axes, in order, are counter-clockwise around the axis of the side; in reverse order, clockwise.
                let mut corner = [sign, u * sign, v];
                corner.rotate_right(axis);
                let [x, y, z] = corner;
                let position = place.point([x * half_x, y * half_y, z * half_z]);
                words.extend(position.into_iter().chain(normal).map(|number| single(number).to_bits()));
            }
            let order = if turned { [0, 2, 1, 0, 3, 2] } else { [0, 1, 2, 0, 2, 3] };
            indices.extend(order.map(|corner| first + corner));
            first += 4;
        }
    }
    (words, indices)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_sides_of_a_box_face_outside() {
        let (words, indices) = cuboids([1.0, 2.0, 3.0], &[Transform::IDENTITY]);
        let row = |row: u32| &words[row as usize * 6..row as usize * 6 + 6];
        assert_eq!((words.len(), indices.len()), (24 * 6, 36));
        let mut extent = [0.0_f32; 3];
        for triangle in indices.chunks(3) {
            let points = [0, 1, 2].map(|i| [0, 1, 2].map(|axis| f64::from(f32::from_bits(row(triangle[i])[axis]))));
            let [p, q, r] = points;
            use mapwright_scene::transform::{cross, dot, sub};
            let normal: [f64; 3] = [3, 4, 5].map(|word| f64::from(f32::from_bits(row(triangle[0])[word])));
            assert!(dot(cross(sub(q, p), sub(r, p)), normal) > 0.0, "{points:?}");
            assert!(dot(p, normal) > 0.0);
            for point in points {
                extent = [0, 1, 2].map(|axis| extent[axis].max(single(point[axis])));
            }
        }
        assert_eq!(extent, [1.0, 2.0, 3.0]);
    }
}
