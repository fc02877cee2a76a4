//! Sprites → scenes.

use mapwright_io::math;
use mapwright_scene::{
    AlphaMode, Image, ImageSource, Import, Material, Mesh, Smoothing, TextureSlot, TextureUsage, UvSet, Wrap,
};

use super::geometry::add_mesh;
use super::{AXES, ImportOptions, Transparency};
use crate::Sprite;

/// Converts a sprite to a scene: a rectangle around the origin that faces +X and is visible from both sides, with its first animation
/// frame. The engine turns a sprite to the camera if its entity has no angles; the property `sprite` of the node is `camera`.
///
/// Pixels of `image` are used as they are: black ones are transparent only if [`Image::hide_black`](crate::Image::hide_black) was applied.
pub fn sprite_to_scene(sprite: &Sprite, image: ImageSource, options: &ImportOptions) -> Import {
    let mut import = Import::default();
    let image = import.scene.images.push(Image { name: options.name.clone(), source: image });
    let slot = TextureSlot { wrap: [Wrap::Clamp; 2], ..TextureSlot::new(TextureUsage::BaseColor, image) };
    let alpha = match options.transparency {
        Transparency::Translucent => AlphaMode::Blend,
        _ => AlphaMode::Mask(0.5),
    };
    let material = Material { double_sided: true, alpha, textures: vec![slot], ..Material::new(options.name.clone()) };
    let material = import.scene.materials.push(material);
    let mut mesh = Mesh { name: options.name.clone(), smoothing: Smoothing::Flat, ..Mesh::default() };
    let mut uvs = UvSet::default();
    let [width, height] = sprite.size.map(|side| f64::from(side) / 2.0);
    let right = 1.0 / f64::from(sprite.frames.max(1));
    for plane in 0..sprite.planes.max(1) {
        // Planes divide half a turn evenly.
        let angle = std::f64::consts::PI * f64::from(plane) / f64::from(sprite.planes.max(1));
        let (sin, cos) = math::sin_cos(angle);
        let first = u32::try_from(mesh.positions.len()).unwrap_or(u32::MAX);
        // From the lower left, counter-clockwise as seen from +X.
        for [along, z] in [[-width, -height], [width, -height], [width, height], [-width, height]] {
            mesh.positions.push(AXES.apply([-along * sin, along * cos, z]));
        }
        mesh.faces.push(&[0, 1, 2, 3].map(|corner: u32| corner.saturating_add(first)));
        mesh.face_materials.push(Some(material));
        uvs.corners.extend([[0.0, 1.0], [right, 1.0], [right, 0.0], [0.0, 0.0]].map(Some));
    }
    mesh.uv_sets.push(uvs);
    if sprite.frames > 1 {
        import.losses.dropped("image", format!("animation frames: {}", sprite.frames.saturating_sub(1)));
    }
    let node = add_mesh(&mut import, mesh);
    if let Some(node) = import.scene.nodes.get_mut(node) {
        node.properties.push("sprite", "camera");
    }
    import
}
