//! Every field of a scene belongs to a feature, which reports it if a format cannot store it.
//!
//! All patterns name all fields, so that a new field does not compile without a line here.

use std::collections::BTreeSet;

use Feature as F;
use mapwright_scene::*;

/// Returns the features that one scene uses and another does not.
fn more(scene: &Scene, plain: &Scene) -> BTreeSet<Feature> {
    let uses = |scene: &Scene| {
        let mut used = BTreeSet::new();
        scene.visit_features(|feature, _, _| _ = used.insert(feature));
        used
    };
    uses(scene).difference(&uses(plain)).copied().collect()
}

/// Asserts the features of items that differ from the default in one field.
fn found<T: Clone>(plain: &T, put: impl Fn(&mut Scene, T), cases: Vec<(T, &[Feature])>) {
    let scene_of = |item: T| {
        let mut scene = Scene::default();
        put(&mut scene, item);
        scene
    };
    for (place, (item, features)) in cases.into_iter().enumerate() {
        let expected: BTreeSet<Feature> = features.iter().copied().collect();
        assert_eq!(more(&scene_of(item), &scene_of(plain.clone())), expected, "case {place}");
    }
}

fn properties() -> Properties {
    [("a", 1)].into_iter().collect()
}

#[test]
fn scenes() {
    let plain = Scene::default();
    // Items in arenas have their own line below.
    #[rustfmt::skip]
    let Scene {
        name: _, metres_per_unit: _, color_space: _, sets: _, properties: _,
        nodes: _, roots: _, meshes: _, brushes: _, terrains: _, tile_layers: _, tile_sets: _, instance_sets: _,
        lights: _, cameras: _, sounds: _, paths: _, entities: _, materials: _, images: _,
    } = &plain;
    found(
        &plain,
        |scene, new| *scene = new,
        vec![
            (Scene { name: "a".into(), ..plain.clone() }, &[F::SceneNames]),
            (Scene { metres_per_unit: Some(1.0), ..plain.clone() }, &[F::Unit]),
            // An interpretation of numbers, not a feature.
            (Scene { color_space: ColorSpace::Linear, ..plain.clone() }, &[]),
            (Scene { sets: vec![NamedSet::default()], ..plain.clone() }, &[F::Sets]),
            (Scene { properties: properties(), ..plain.clone() }, &[F::SceneProperties]),
        ],
    );
}

#[test]
fn nodes() {
    // A group without children is a feature.
    let plain = Node::new("plain", Content::Sound(Id::new(0)));
    // Every format stores names. The key belongs to the format that created it.
    let Node { name: _, children: _, transform: _, content: _, visible: _, locked: _, properties: _, key: _ } = &plain;
    let put = |scene: &mut Scene, node| _ = scene.add_node(None, node);
    found(
        &plain,
        put,
        vec![
            (Node { children: vec![Id::new(7)], ..plain.clone() }, &[F::Hierarchy]),
            (Node { content: Content::Group, ..plain.clone() }, &[F::Hierarchy]),
            (Node { transform: Transform::translation([1.0; 3]), ..plain.clone() }, &[F::Transforms]),
            (Node { content: Content::Marker, ..plain.clone() }, &[F::Markers]),
            (Node { content: Content::Instance(Id::new(0)), ..plain.clone() }, &[F::NodeInstances]),
            (Node { content: Content::Prefab(Prefab::default()), ..plain.clone() }, &[F::Prefabs]),
            (Node { visible: false, ..plain.clone() }, &[F::HiddenNodes]),
            (Node { locked: true, ..plain.clone() }, &[F::LockedNodes]),
            (Node { properties: properties(), ..plain.clone() }, &[F::NodeProperties]),
            (Node { key: Some("k".into()), ..plain.clone() }, &[]),
        ],
    );
}

#[test]
fn meshes() {
    let triangle = |faces: &[&[u32]]| Mesh { faces: faces.iter().collect(), ..Mesh::default() };
    let plain = triangle(&[&[0, 1, 2]]);
    #[rustfmt::skip]
    let Mesh {
        name: _, positions: _, faces: _, face_materials: _, face_flags: _, face_projections: _, uv_sets: _,
        color_sets: _, normals: _, smoothing: _, hard_edges: _, soft_edges: _, mirror: _, attributes: _, properties: _,
    } = &plain;
    let uvs = |name: &str, last| UvSet {
        name: name.into(),
        origin: UvOrigin::TopLeft,
        corners: [Some([0.0; 2]), Some([0.0; 2]), last].into_iter().collect(),
    };
    let colors = |name: &str| ColorSet { name: name.into(), corners: CornerColumn::filled(Some([1.0; 4]), 3) };
    let whole = Some([0.0; 2]);
    let projection =
        TextureProjection { u: [0.0; 4], v: [0.0; 4], offset: [0.0; 2], scale: [1.0; 2], rotation: 0.0, local: true };
    let attribute = Attribute { name: "a".into(), domain: Domain::Face, width: 1, values: vec![0.0] };
    let put = |scene: &mut Scene, mesh| _ = scene.meshes.push(mesh);
    found(
        &plain,
        put,
        vec![
            // Positions and materials are part of every mesh.
            (Mesh { positions: vec![[0.0; 3]; 3], ..plain.clone() }, &[]),
            (Mesh { face_materials: vec![Some(Id::new(0))], ..plain.clone() }, &[]),
            (triangle(&[&[0, 1, 2, 3]]), &[F::Polygons]),
            (triangle(&[&[0, 1]]), &[F::TwoCornerFaces]),
            (Mesh { face_flags: vec![FaceFlags::HIDDEN], ..plain.clone() }, &[F::HiddenFaces]),
            (Mesh { face_flags: vec![FaceFlags::HOLE], ..plain.clone() }, &[F::Holes]),
            (Mesh { face_projections: vec![projection], ..plain.clone() }, &[F::Projections]),
            (Mesh { uv_sets: vec![uvs("", whole)], ..plain.clone() }, &[F::Uvs]),
            (Mesh { uv_sets: vec![uvs("a", whole)], ..plain.clone() }, &[F::Uvs, F::SetNames]),
            (Mesh { uv_sets: vec![uvs("", None)], ..plain.clone() }, &[F::Uvs, F::PartialUvs]),
            (Mesh { uv_sets: vec![uvs("", whole); 2], ..plain.clone() }, &[F::Uvs, F::MoreUvSets]),
            (Mesh { color_sets: vec![colors("")], ..plain.clone() }, &[F::Colors]),
            (Mesh { color_sets: vec![colors("a")], ..plain.clone() }, &[F::Colors, F::SetNames]),
            (Mesh { color_sets: vec![colors(""); 2], ..plain.clone() }, &[F::Colors, F::MoreColorSets]),
            (Mesh { normals: Some(CornerColumn::filled(Some([0.0; 3]), 3)), ..plain.clone() }, &[F::Normals]),
            (Mesh { smoothing: Smoothing::Flat, ..plain.clone() }, &[F::HardEdges]),
            (Mesh { hard_edges: vec![[0, 1]], ..plain.clone() }, &[F::HardEdges]),
            // No feature if all edges are soft.
            (Mesh { soft_edges: vec![[0, 1]], ..plain.clone() }, &[]),
            (Mesh { mirror: Some(0), ..plain.clone() }, &[F::Mirrors]),
            (Mesh { attributes: vec![attribute], ..plain.clone() }, &[F::Attributes]),
            (Mesh { properties: properties(), ..plain.clone() }, &[F::MeshProperties]),
        ],
    );
    let shown = |name: &'static str| {
        move |scene: &mut Scene, mesh| {
            let mesh = scene.meshes.push(mesh);
            scene.add_node(None, Node::new(name, Content::Mesh(mesh)));
        }
    };
    let named = Mesh { name: "b".into(), ..plain.clone() };
    found(&plain, shown("a"), vec![(named.clone(), &[F::MeshNames])]);
    found(&plain, shown("b"), vec![(named, &[])]);
    let mut twice = Scene::default();
    shown("")(&mut twice, plain.clone());
    let once = twice.clone();
    twice.add_node(None, Node::new("", Content::Mesh(Id::new(0))));
    assert_eq!(more(&twice, &once), BTreeSet::from([F::SharedMeshes]));
}

#[test]
fn lights_and_cameras() {
    let plain = Light::default();
    #[rustfmt::skip]
    let Light {
        kind: _, color: _, intensity: _, unit: _, attenuation: _, range: _, target: _, ambient: _, specular: _,
        properties: _,
    } = &plain;
    let spot = |exponent| LightKind::Spot { inner: 0.0, outer: 1.0, exponent };
    found(
        &plain,
        |scene, light| _ = scene.lights.push(light),
        vec![
            // Colour and intensity are part of every light.
            (Light { color: [0.5; 4], ..plain.clone() }, &[]),
            (Light { intensity: 2.0, ..plain.clone() }, &[]),
            (Light { kind: LightKind::Ambient, ..plain.clone() }, &[F::AmbientLights]),
            (Light { kind: LightKind::Directional, ..plain.clone() }, &[F::DirectionalLights]),
            (Light { kind: spot(0.0), ..plain.clone() }, &[F::SpotLights]),
            (Light { kind: spot(2.0), ..plain.clone() }, &[F::SpotLights, F::LightFalloff]),
            (Light { kind: LightKind::Area { mesh: None }, ..plain.clone() }, &[F::AreaLights]),
            (Light { kind: LightKind::Other("a".into()), ..plain.clone() }, &[F::OtherLights]),
            (Light { unit: IntensityUnit::Photometric, ..plain.clone() }, &[F::LightUnits]),
            (
                Light { attenuation: Attenuation { constant: 0.0, linear: 1.0, quadratic: 0.0 }, ..plain.clone() },
                &[F::LightFalloff],
            ),
            (Light { range: Some(1.0), ..plain.clone() }, &[F::LightFalloff]),
            (Light { target: Some([0.0; 3]), ..plain.clone() }, &[F::AimPoints]),
            (Light { ambient: Some([0.0; 4]), ..plain.clone() }, &[F::LightTerms]),
            (Light { specular: Some([0.0; 4]), ..plain.clone() }, &[F::LightTerms]),
            (Light { properties: properties(), ..plain.clone() }, &[F::LightProperties]),
        ],
    );
    let plain = Camera::default();
    // The projection is part of every camera.
    let Camera { projection: _, near: _, far: _, aspect: _, target: _, properties: _ } = &plain;
    let flat = Projection::Orthographic { half_height: 1.0 };
    let put = |scene: &mut Scene, camera| _ = scene.cameras.push(camera);
    found(
        &plain,
        put,
        vec![
            (Camera { near: 2.0, far: Some(3.0), aspect: Some(1.0), ..plain.clone() }, &[]),
            (Camera { projection: flat, ..plain.clone() }, &[F::OrthographicCameras]),
            (Camera { target: Some([0.0; 3]), ..plain.clone() }, &[F::AimPoints]),
            (Camera { properties: properties(), ..plain.clone() }, &[F::LightProperties]),
        ],
    );
}

#[test]
fn materials_and_textures() {
    let plain = Material::default();
    #[rustfmt::skip]
    let Material {
        name: _, reference: _, texture_size: _, base_color: _, metallic: _, roughness: _, emissive: _, classic: _,
        textures: _, vertex_colors: _, alpha: _, double_sided: _, is_tool: _, properties: _,
    } = &plain;
    let classic = ClassicMaterial { ambient: [0.0; 4], specular: [0.0; 4], shininess: 0.0 };
    let put = |scene: &mut Scene, material| _ = scene.materials.push(material);
    found(
        &plain,
        put,
        vec![
            // A name and a colour are part of every material.
            (Material { name: "a".into(), base_color: [0.0, 0.5, 1.0, 1.0], ..plain.clone() }, &[]),
            (Material { base_color: [0.5; 4], ..plain.clone() }, &[F::Alpha]),
            (Material { reference: Some("a".into()), ..plain.clone() }, &[F::MaterialReferences]),
            (Material { texture_size: Some([1; 2]), ..plain.clone() }, &[F::TextureSizes]),
            (Material { metallic: 0.5, ..plain.clone() }, &[F::MetallicRoughness]),
            (Material { roughness: 0.5, ..plain.clone() }, &[F::MetallicRoughness]),
            (Material { emissive: [1.0; 4], ..plain.clone() }, &[F::Emission]),
            (Material { classic: Some(classic), ..plain.clone() }, &[F::ClassicTerms]),
            (Material { vertex_colors: VertexColors::Multiply, ..plain.clone() }, &[F::VertexColorModes]),
            (Material { alpha: AlphaMode::Blend, ..plain.clone() }, &[F::Alpha]),
            (Material { alpha: AlphaMode::Mask(0.5), ..plain.clone() }, &[F::AlphaMask]),
            (Material { double_sided: true, ..plain.clone() }, &[F::DoubleSided]),
            (Material { properties: properties(), ..plain.clone() }, &[F::MaterialProperties]),
        ],
    );
    let slot = |usage| TextureSlot::new(usage, Id::new(0));
    let plain = slot(TextureUsage::BaseColor);
    let TextureSlot { usage: _, image: _, uv_set: _, wrap: _, strength: _ } = &plain;
    let put =
        |scene: &mut Scene, slot| _ = scene.materials.push(Material { textures: vec![slot], ..Material::default() });
    let mut cases: Vec<(TextureSlot, &[Feature])> = vec![
        (TextureSlot { image: Id::new(1), ..plain.clone() }, &[]),
        (TextureSlot { uv_set: 1, ..plain.clone() }, &[F::TextureUvSets]),
        (TextureSlot { wrap: [Wrap::Repeat, Wrap::Clamp], ..plain.clone() }, &[F::TextureSettings]),
        (TextureSlot { strength: 0.5, ..plain.clone() }, &[F::TextureSettings]),
    ];
    let usages: [(TextureUsage, &[Feature]); 10] = [
        (TextureUsage::Normal, &[F::NormalTextures]),
        (TextureUsage::Bump, &[F::BumpTextures]),
        (TextureUsage::Metallic, &[F::SeparateMetalRoughTextures]),
        (TextureUsage::Roughness, &[F::SeparateMetalRoughTextures]),
        (TextureUsage::MetallicRoughness, &[F::MetallicRoughnessTextures]),
        (TextureUsage::Occlusion, &[F::OcclusionTextures]),
        (TextureUsage::Emission, &[F::EmissionTextures]),
        (TextureUsage::Gloss, &[F::GlossTextures]),
        (TextureUsage::Opacity, &[F::OpacityTextures]),
        (TextureUsage::Other("a".into()), &[F::OtherTextures]),
    ];
    cases.extend(usages.map(|(usage, features)| (slot(usage), features)));
    found(&plain, put, cases);

    // Names of images are not a feature: files need one.
    let Image { name: _, source: _ } =
        Image { name: String::new(), source: ImageSource::External { path: "a".into() } };
}

#[test]
fn terrains() {
    let plain = Terrain::new([0; 2], [1.0; 2], Heights::F32(Vec::new()));
    let grass = Attribute { name: "grass".into(), domain: Domain::Face, width: 1, values: Vec::new() };
    found(
        &plain,
        |scene, terrain| _ = scene.terrains.push(terrain),
        vec![
            (Terrain { name: "a".into(), diagonal: Diagonal::Anti, spacing: [2.0; 2], ..plain.clone() }, &[]),
            (Terrain { sea_level: Some(0.0), ..plain.clone() }, &[F::WaterLevels]),
            (Terrain { properties: properties(), ..plain.clone() }, &[F::TerrainProperties]),
            (Terrain { attributes: vec![grass], ..plain.clone() }, &[F::Attributes]),
        ],
    );
}

/// Items whose fields all belong to one feature.
#[test]
fn items_are_counted_as_their_feature() {
    let found_as = |feature, put: &dyn Fn(&mut Scene)| {
        let mut scene = Scene::default();
        put(&mut scene);
        assert_eq!(more(&scene, &Scene::default()), BTreeSet::from([feature]));
    };
    let Brush { name: _, vertices: _, sides: _, properties: _ } = Brush::default();
    found_as(F::Brushes, &|scene| _ = scene.brushes.push(Brush::default()));
    let found_in = |sides, properties| {
        let mut scene = Scene::default();
        scene.brushes.push(Brush { sides, properties, ..Brush::default() });
        more(&scene, &Scene::default())
    };
    assert_eq!(found_in(Vec::new(), properties()), BTreeSet::from([F::Brushes, F::BrushProperties]));
    let side = BrushSide {
        plane: [[0.0; 3]; 3],
        corners: Vec::new(),
        projection: TextureProjection::on_base_axes([0.0, 1.0, 0.0]),
        material: None,
        properties: properties(),
    };
    assert_eq!(found_in(vec![side], Properties::new()), BTreeSet::from([F::Brushes, F::SideProperties]));
    let layer = TileLayer {
        name: String::new(),
        size: [0; 2],
        tile_size: [1; 2],
        layout: CellLayout::Orthogonal,
        cells: Vec::new(),
        tile_sets: Vec::new(),
        wrap: [false; 2],
        parallax: [1.0; 2],
        z: 0,
        fill: None,
        attributes: Vec::new(),
        properties: Properties::new(),
    };
    found_as(F::Tiles, &|scene| _ = scene.tile_layers.push(layer.clone()));
    let isometric = TileLayer { layout: CellLayout::Isometric, ..layer.clone() };
    let mut features = BTreeSet::new();
    let mut scene = Scene::default();
    scene.tile_layers.push(isometric);
    scene.visit_features(|feature, _, _| _ = features.insert(feature));
    assert_eq!(features, BTreeSet::from([F::Tiles, F::TileLayouts]));
    let attribute = Attribute { name: "light".into(), domain: Domain::Face, width: 1, values: Vec::new() };
    let mut features = BTreeSet::new();
    let mut scene = Scene::default();
    scene.tile_layers.push(TileLayer { attributes: vec![attribute], ..layer });
    scene.visit_features(|feature, _, _| _ = features.insert(feature));
    assert_eq!(features, BTreeSet::from([F::Tiles, F::Attributes]));
    let TileSet { name: _, tiles: _, properties: _ } = TileSet::default();
    let Tile { image: _, collision: _, properties: _ } = Tile::default();
    found_as(F::Tiles, &|scene| _ = scene.tile_sets.push(TileSet::default()));
    let InstanceSet { name: _, models: _, model: _, transforms: _, ids: _, order: _, on_ground: _, properties: _ } =
        InstanceSet::default();
    found_as(F::Instances, &|scene| _ = scene.instance_sets.push(InstanceSet::default()));
    let Sound { reference: _, volume: _, range: _, properties: _ } = Sound::default();
    found_as(F::Sounds, &|scene| _ = scene.sounds.push(Sound::default()));
    let Path { name: _, points: _, edges: _, closed: _, properties: _ } = Path::default();
    let PathPoint { position: _, tangents: _, properties: _ } = PathPoint::default();
    found_as(F::Paths, &|scene| _ = scene.paths.push(Path::default()));
    let Entity { class: _, model: _, properties: _, connections: _ } = Entity::default();
    let Connection { output: _, target: _, target_type: _, input: _, parameter: _, delay: _, times: _ } =
        Connection::default();
    found_as(F::Entities, &|scene| _ = scene.entities.push(Entity::default()));
    let NamedSet { name: _, members: _, properties: _ } = NamedSet::default();
    found_as(F::Sets, &|scene| scene.sets.push(NamedSet::default()));
    let Prefab { reference: _, overrides: _ } = Prefab::default();
}
