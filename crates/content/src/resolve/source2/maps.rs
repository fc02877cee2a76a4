//! Prefabs and 3D skyboxes: other maps in the map.

use mapwright_scene::{Content, Import, Losses, Node, NodeId, Prefab, Properties, Scene, Transform, Value};
use mapwright_vmap::Document;
use mapwright_vmap::scene::{ImportOptions, NODE_NUMBER, Subdivision, to_scene};

use super::super::RESOLVED_FROM;
use super::super::own_parts::remove_own_parts;
use super::{SKYBOX, Variant};

/// The property of added nodes that place the map of a 3D skybox.
pub(super) const SKYBOX_MARK: &str = "is_skybox";
/// The class of the entity that is the viewpoint of a 3D skybox.
const SKY_CAMERA: &str = "sky_camera";
/// Parts that only the map of a prefab itself has, so that nothing is lost with them.
const OWN_PARTS: [&str; 5] =
    ["asset_preview_thumbnail", "map_asset_references", "nodeInstanceData", "m_ReferencedMeshSnapshots", "3dcameras"];
/// The attribute of prefabs and of the worlds of their maps that changes the names of entities.
const FIX_UP: &str = "fixupEntityNames";
/// The scale of a 3D skybox without one, as in tutorials.
const DEFAULT_SCALE: f64 = 16.0;

/// Reads the map of a prefab or of a 3D skybox.
pub(super) fn load(bytes: &[u8], variant: Option<&Variant>, subdivision: Subdivision) -> Result<Import, String> {
    if variant == Some(&Variant::AtRuntime) {
        return Err("the game loads it at run time; it is not part of the map".to_owned());
    }
    let mut map = Document::from_bytes(bytes).map_err(|error| error.to_string())?;
    let mut losses = Losses::new();
    if let Some(Variant::Prefab(overrides)) = variant {
        let overrides: Vec<(&[u8], &[u8])> =
            overrides.iter().map(|(name, value)| (name.as_bytes(), value.as_bytes())).collect();
        losses = map.apply_variables(&overrides).map_err(|error| error.to_string())?;
    }
    let import =
        to_scene(&map, &ImportOptions::default().with_subdivision(subdivision)).map_err(|error| error.to_string())?;
    let mut scene = import.scene;
    scene.properties = Properties::new();
    if !map.world().is_none_or(mapwright_vmap::World::fixup_entity_names) {
        scene.properties.set(FIX_UP, false);
    }
    // Prefabs that are not loaded in prefabs are left out, too.
    remove_own_parts(&mut scene, |node, _| {
        let is_nested = node.properties.get("loadIfNested") != Some(&Value::Bool(false));
        matches!(node.content, Content::Prefab(_)) && !is_nested
    });
    add_skyboxes(&mut scene);
    for loss in
        import.losses.iter().filter(|loss| !OWN_PARTS.iter().any(|part| loss.path.to_string().starts_with(part)))
    {
        losses.push(loss.kind, loss.path.clone(), loss.text_with_count());
    }
    if variant == Some(&Variant::Skybox) {
        place_skybox(&mut scene, &mut losses);
    }
    Ok(Import { scene, losses })
}

/// Returns the text before the names of entities in a prefab: its number in the map, or its name if it has that setting. `None` if names
/// stay as they are. `map` contains the properties of the map of the prefab.
pub(super) fn name_prefix(node: &Node, map: &Properties) -> Option<String> {
    let flag = |name: &str| node.properties.get(name).and_then(Value::as_bool);
    let is_prefab = matches!(node.content, Content::Prefab(_)) && flag(SKYBOX_MARK) != Some(true);
    if !is_prefab || flag(FIX_UP) == Some(false) || map.get(FIX_UP) == Some(&Value::Bool(false)) {
        return None;
    }
    let name = node.properties.get("targetName").and_then(Value::as_text).filter(|name| !name.is_empty());
    match name.filter(|_| flag("useTargetNameAsPrefix") == Some(true)) {
        Some(name) => Some(format!("{name}_")),
        None => Some(format!("{}_", node.properties.get(NODE_NUMBER)?.as_int()?)),
    }
}

/// Adds a prefab below each entity that shows a 3D skybox.
pub(super) fn add_skyboxes(scene: &mut Scene) {
    let (class, key) = SKYBOX;
    let found = scene.nodes.iter().filter_map(|(id, node)| {
        let Content::Entity(entity) = node.content else { return None };
        let entity = scene.entities.get(entity).filter(|it| it.class.eq_ignore_ascii_case(class))?;
        let (_, path) = entity.properties.iter().find(|(name, _)| name.eq_ignore_ascii_case(key))?;
        let path = path.as_text().filter(|path| !path.is_empty())?;
        // A scene that was resolved before has the nodes already.
        let is_new = node.children.is_empty();
        is_new.then(|| (id, path.to_owned()))
    });
    let found: Vec<(NodeId, String)> = found.collect();
    for (parent, reference) in found {
        let prefab = Prefab { reference: reference.clone(), ..Prefab::default() };
        let mut node = Node::new("3D skybox", Content::Prefab(prefab));
        node.properties.push(RESOLVED_FROM, reference);
        node.properties.push(SKYBOX_MARK, true);
        scene.add_node(Some(parent), node);
    }
}

/// Moves and scales a map so that its sky camera is at the origin: a point is shown at `scale · (point − camera)`. Its lights only light
/// the skybox, so they are removed.
fn place_skybox(scene: &mut Scene, losses: &mut Losses) {
    let camera = scene.walk().find_map(|visit| {
        let Content::Entity(entity) = visit.node.content else { return None };
        let entity = scene.entities.get(entity).filter(|it| it.class.eq_ignore_ascii_case(SKY_CAMERA))?;
        let scale = match entity.properties.get("scale")? {
            Value::Text(text) => text.trim().parse().ok(),
            value => value.as_f64(),
        };
        Some((visit.world.origin(), scale))
    });
    let (origin, scale) = camera.unwrap_or_default();
    let scale = scale.filter(|scale: &f64| scale.is_finite() && *scale > 0.0).unwrap_or_else(|| {
        losses.approximated(
            "entities",
            format!("3D skybox without a {SKY_CAMERA} with a scale: {DEFAULT_SCALE} is assumed"),
        );
        DEFAULT_SCALE
    });
    let mut lights = 0_usize;
    for (_, node) in scene.nodes.iter_mut().filter(|(_, node)| matches!(node.content, Content::Light(_))) {
        node.content = Content::Group;
        lights = lights.saturating_add(1);
    }
    if lights > 0 {
        losses.dropped("lights", format!("lights of a 3D skybox: {lights}"));
    }
    let transform = Transform::Trs {
        translation: origin.map(|part| -part * scale),
        rotation: [0.0, 0.0, 0.0, 1.0],
        scale: [scale; 3],
    };
    super::models::wrap(scene, transform);
}
