//! Checks of contents other than meshes, of materials and of images.

use super::{
    Report, Severity, finite, mesh,
    nodes::{check_reference, properties},
};
use crate::{
    Camera, Heights, Image, ImageSource, InstanceSet, InstanceTransforms, Light, LightKind, Material, Model, Path,
    Projection, Scene, Terrain, TileLayer,
};

pub(super) fn check(scene: &Scene, report: &mut Report) {
    for (id, brush) in scene.brushes.iter() {
        mesh::brush(scene, brush, &format!("brushes[{}]", id.index()), report);
    }
    for (id, item) in scene.terrains.iter() {
        terrain(scene, item, &format!("terrains[{}]", id.index()), report);
    }
    for (id, item) in scene.tile_layers.iter() {
        tile_layer(scene, item, &format!("tile_layers[{}]", id.index()), report);
    }
    for (id, set) in scene.tile_sets.iter() {
        let path = format!("tile_sets[{}]", id.index());
        let missing = |tile: &crate::Tile| tile.image.is_some_and(|image| !scene.images.contains(image));
        report.column(Severity::Error, &path, "missing images", &set.tiles, missing);
        properties(&set.properties, &path, report);
    }
    for (id, item) in scene.instance_sets.iter() {
        instance_set(scene, item, &format!("instance_sets[{}]", id.index()), report);
    }
    for (id, item) in scene.lights.iter() {
        light(scene, item, &format!("lights[{}]", id.index()), report);
    }
    for (id, item) in scene.cameras.iter() {
        camera(item, &format!("cameras[{}]", id.index()), report);
    }
    for (id, sound) in scene.sounds.iter() {
        let path = format!("sounds[{}]", id.index());
        if !finite(sound.volume.iter().chain(&sound.range)) {
            report.error(&path, "a number that is not finite");
        }
        properties(&sound.properties, &path, report);
    }
    for (id, item) in scene.paths.iter() {
        self::path(item, &format!("paths[{}]", id.index()), report);
    }
    for (id, entity) in scene.entities.iter() {
        let path = format!("entities[{}]", id.index());
        let wait = |connection: &crate::Connection| !connection.delay.is_finite();
        report.column(Severity::Warning, &path, "delays that are not finite", &entity.connections, wait);
        properties(&entity.properties, &path, report);
    }
    for (id, item) in scene.materials.iter() {
        material(scene, item, &format!("materials[{}]", id.index()), report);
    }
    for (id, item) in scene.images.iter() {
        image(item, &format!("images[{}]", id.index()), report);
    }
}

fn terrain(scene: &Scene, terrain: &Terrain, path: &str, report: &mut Report) {
    let area = |[x, z]: [u32; 2]| usize::try_from(u64::from(x) * u64::from(z)).unwrap_or(usize::MAX);
    report.length(&format_args!("{path}.heights"), terrain.heights.len(), area(terrain.size), false);
    report.length(&format_args!("{path}.cells"), terrain.cells.len(), area(terrain.cell_size), false);
    if terrain.spacing.iter().any(|step| !step.is_finite() || *step == 0.0) {
        report.error(&format_args!("{path}.spacing"), "not finite, or 0");
    }
    let heights = format!("{path}.heights");
    match &terrain.heights {
        Heights::F32(values) => {
            report.column(Severity::Warning, &heights, "not finite", values, |height| !height.is_finite());
        }
        Heights::Steps { step, .. } if !step.is_finite() => report.error(&heights, "the step is not finite"),
        Heights::Steps { .. } => {}
    }
    let missing = |id: &Option<_>| id.is_some_and(|id| !scene.materials.contains(id));
    report.column(Severity::Error, &format_args!("{path}.materials"), "missing materials", &terrain.materials, missing);
    let counts = [Some(terrain.heights.len()), None, Some(terrain.cells.len())];
    mesh::attributes(&terrain.attributes, counts, path, report);
    properties(&terrain.properties, path, report);
}

fn tile_layer(scene: &Scene, layer: &TileLayer, path: &str, report: &mut Report) {
    let area = u64::from(layer.size[0]) * u64::from(layer.size[1]);
    let area = usize::try_from(area).unwrap_or(usize::MAX);
    report.length(&format_args!("{path}.cells"), layer.cells.len(), area, false);
    if !finite(&layer.parallax) {
        report.error(&format_args!("{path}.parallax"), "not finite");
    }
    if let Some(side) = layer.layout.excess_side(layer.tile_size) {
        report.warning(&format_args!("{path}.layout"), format!("hexagons with a side of {side}: longer than a cell"));
    }
    for &set in &layer.tile_sets {
        check_reference(&scene.tile_sets, set, &path, report);
    }
    mesh::attributes(&layer.attributes, [None, None, Some(layer.cells.len())], path, report);
    properties(&layer.properties, path, report);
}

fn instance_set(scene: &Scene, set: &InstanceSet, path: &str, report: &mut Report) {
    let count = set.transforms.len();
    if let InstanceTransforms::Trs { translations, rotations, scales } = &set.transforms {
        for column in [translations.len(), rotations.len(), scales.len()] {
            report.length(&format_args!("{path}.transforms"), column, count, false);
        }
    }
    report.length(&format_args!("{path}.model"), set.model.len(), count, false);
    report.length(&format_args!("{path}.ids"), set.ids.len(), count, true);
    report.length(&format_args!("{path}.order"), set.order.len(), count, true);
    report.length(&format_args!("{path}.on_ground"), set.on_ground.len(), count, true);
    let missing = |&model: &u32| model as usize >= set.models.len();
    report.column(Severity::Error, &format_args!("{path}.model"), "missing models", &set.model, missing);
    let dangling = |model: &Model| matches!(model, Model::Mesh(id) if !scene.meshes.contains(*id));
    report.column(Severity::Error, &format_args!("{path}.models"), "missing meshes", &set.models, dangling);
    let infinite = |i: usize| set.transforms.get(i).is_some_and(|t| !finite(t.matrix().iter().flatten()));
    report.column(Severity::Warning, &format_args!("{path}.transforms"), "not finite", 0..count, infinite);
    properties(&set.properties, path, report);
}

fn light(scene: &Scene, light: &Light, path: &str, report: &mut Report) {
    let falloff = &light.attenuation;
    let rest = [light.intensity, falloff.constant, falloff.linear, falloff.quadratic];
    let points = light.target.iter().flatten();
    let colors = light.ambient.iter().chain(&light.specular).flatten();
    let mut all_finite = finite(light.color.iter().chain(&rest).chain(&light.range).chain(points).chain(colors));
    match &light.kind {
        LightKind::Spot { inner, outer, exponent } => {
            all_finite &= finite([inner, outer, exponent]);
            if !(0.0 <= *inner && inner <= outer && *outer <= std::f64::consts::FRAC_PI_2) {
                report.warning(&format_args!("{path}.kind"), "invalid angles: expected 0 ≤ inner ≤ outer ≤ π/2");
            }
        }
        LightKind::Area { mesh: Some(mesh) } => {
            check_reference(&scene.meshes, *mesh, &format_args!("{path}.kind"), report);
        }
        _ => {}
    }
    if !all_finite {
        report.error(&path, "a number that is not finite");
    }
    if light.intensity < 0.0 || light.range.is_some_and(|range| range <= 0.0) {
        report.warning(&path, "invalid intensity or range: expected positive numbers");
    }
    properties(&light.properties, path, report);
}

fn camera(camera: &Camera, path: &str, report: &mut Report) {
    let size = match camera.projection {
        Projection::Perspective { fov_y } => {
            if !(fov_y > 0.0 && fov_y < std::f64::consts::PI) {
                report.warning(&path, "invalid field of view: expected more than 0 and less than π");
            }
            fov_y
        }
        Projection::Orthographic { half_height } => {
            if half_height == 0.0 {
                report.warning(&path, "invalid height of the image: expected a positive number");
            }
            half_height
        }
    };
    let points = camera.target.iter().flatten();
    if !finite([size, camera.near].iter().chain(&camera.far).chain(&camera.aspect).chain(points)) {
        report.error(&path, "a number that is not finite");
    }
    if camera.near < 0.0 || camera.far.is_some_and(|far| far <= camera.near) {
        report.warning(&path, "invalid far plane: expected more than the near plane");
    }
    if camera.aspect.is_some_and(|aspect| aspect <= 0.0) {
        report.warning(&path, "invalid aspect ratio: expected a positive number");
    }
    properties(&camera.properties, path, report);
}

fn path(path_: &Path, path: &str, report: &mut Report) {
    let infinite =
        |point: &crate::PathPoint| !finite(point.position.iter().chain(point.tangents.iter().flatten().flatten()));
    report.column(Severity::Error, &format_args!("{path}.points"), "not finite", &path_.points, infinite);
    let missing = |edge: &crate::PathEdge| edge.from.max(edge.to) as usize >= path_.points.len();
    report.column(Severity::Error, &format_args!("{path}.edges"), "missing points", &path_.edges, missing);
    for (index, point) in path_.points.iter().enumerate().filter(|(_, point)| !point.properties.is_empty()) {
        properties(&point.properties, &format!("{path}.points[{index}]"), report);
    }
    properties(&path_.properties, path, report);
}

fn material(scene: &Scene, material: &Material, path: &str, report: &mut Report) {
    let classic = material.classic.iter().flat_map(|c| c.ambient.iter().chain(&c.specular).chain([&c.shininess]));
    let factors = [&material.metallic, &material.roughness];
    if !finite(material.base_color.iter().chain(factors).chain(&material.emissive).chain(classic)) {
        report.error(&path, "a number that is not finite");
    }
    let unit = 0.0..=1.0;
    if !material.base_color.iter().chain(factors).all(|number| unit.contains(number)) {
        report.warning(&path, "invalid colour, metallic or roughness: expected 0 to 1");
    }
    let missing = |slot: &crate::TextureSlot| !scene.images.contains(slot.image) || !slot.strength.is_finite();
    let slots = format_args!("{path}.textures");
    report.column(
        Severity::Error,
        &slots,
        "missing images, or strengths that are not finite",
        &material.textures,
        missing,
    );
    properties(&material.properties, path, report);
}

fn image(image: &Image, path: &str, report: &mut Report) {
    let ImageSource::Pixels(pixels) = &image.source else { return };
    if pixels.width == 0 || pixels.height == 0 {
        report.error(&path, "invalid size: the image has no pixels");
    }
    report.length(&format_args!("{path}.data"), pixels.data.len(), pixels.byte_len().unwrap_or(usize::MAX), false);
}
