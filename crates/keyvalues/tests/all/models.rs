//! Models.

use mapwright_keyvalues::vmdl::{ImportTransform, Modifier, PrimitiveShape, Vmdl};

fn model(nodes: &str) -> Vmdl {
    let text = format!("{{ rootNode = {{ _class = \"RootNode\" children = [ {nodes} ] }} }}");
    Vmdl::from_bytes(&crate::support::text(&text)).unwrap()
}

#[test]
fn mesh_files_have_their_import_settings() {
    let model = model(
        "{ _class = \"RenderMeshList\" children = [ { _class = \"Folder\" children = [ { _class = \"RenderMeshFile\" name = \"a\" \
         filename = \"models\\\\a.DMX\" import_scale = 0.03 import_translation = [ 1, 2.0, 3 ] import_rotation = [ 0, 90.0, 0 ] \
         parent_bone = \"base\" import_filter = { exclude_by_default = true exception_list = [ \"Mesh_1\" ] } } ] }, \
         { _class = \"RenderMeshFile\" filename = \"models/b.fbx\" disabled = true }, ] }, { _class = \"PhysicsHullFile\" \
         filename = \"c.dmx\" }, { _class = \"PhysicsHullFile\" }",
    );
    let [a, b] = &model.meshes[..] else { panic!("{:?}", model.meshes) };
    assert_eq!((&*a.name, &*a.file, &*a.parent_bone, a.is_disabled), ("a", "models/a.DMX", "base", false));
    let import = ImportTransform { scale: 0.03, rotation: [0.0, 90.0, 0.0], translation: [1.0, 2.0, 3.0] };
    assert_eq!((a.import, b.import), (import, ImportTransform::default()));
    assert!(a.filter.accepts("mesh_1") && !a.filter.accepts("mesh_2") && b.filter.accepts("any"));
    assert!(b.is_disabled);
    assert_eq!(model.others, [("PhysicsHullFile".to_owned(), 2)]);
    let findings: Vec<_> = model.findings.iter().map(|finding| finding.code).collect();
    assert_eq!(findings, ["fbx"]);
}

#[test]
fn only_the_first_level_of_detail_is_visible() {
    let file = |name: &str| format!("{{ _class = \"RenderMeshFile\" name = \"{name}\" filename = \"{name}.dmx\" }},");
    let lod = |names: &str| format!("{{ _class = \"LODGroup\" switch_threshold = 1.0 meshes = [ {names} ] }},");
    let files: String = ["near", "far", "both", "free"].into_iter().map(file).collect();
    let model = model(&format!("{files} {} {}", lod("\"near\", \"both\""), lod("\"far\", \"both\"")));
    let visible: Vec<&str> = model.visible_meshes().map(|mesh| &*mesh.name).collect();
    assert_eq!((visible, model.lods.len()), (vec!["near", "both", "free"], 2));
}

#[test]
fn primitives_modifiers_and_includes_are_read() {
    let model = model(
        "{ _class = \"RenderPrimitiveBox\" dimensions = [ 1, 2, 3 ] origin = [ 4, 5, 6 ] material_name = \"a.vmat\" }, \
         { _class = \"RenderPrimitiveSphere\" radius = 10.0 segments_u = 32 segments_v = -1 max_v = 2.0 }, { _class = \"Prefab\" target_file = \"p.vmdl_prefab\" }, \
         { _class = \"ModelModifier_ScaleAndMirror\" scale = 0.5 mirror_y = true }, \
         { _class = \"ModelModifier_Translate\" translation = [ 0, 0, 8 ] }",
    );
    let shapes: Vec<_> = model.primitives.iter().map(|primitive| primitive.shape).collect();
    assert_eq!(shapes, [PrimitiveShape::Box([1.0, 2.0, 3.0]), PrimitiveShape::Sphere(10.0)]);
    assert_eq!((model.primitives[0].origin, &*model.primitives[0].material), ([4.0, 5.0, 6.0], "a.vmat"));
    let segments: Vec<_> = model.primitives.iter().map(|it| (it.segments, it.max_uv)).collect();
    assert_eq!(segments, [([16, 16], [1.0, 1.0]), ([32, 0], [1.0, 2.0])]);
    let scale = Modifier::ScaleAndMirror { scale: 0.5, mirror: [false, true, false] };
    assert_eq!(
        (model.modifiers, model.includes),
        (vec![scale, Modifier::Translate([0.0, 0.0, 8.0])], vec!["p.vmdl_prefab".to_owned()])
    );
}

#[test]
fn base_models_are_included() {
    let model = |base: &str| {
        let text = format!("{{ rootNode = {{ _class = \"RootNode\" base_model_name = \"{base}\" }} }}");
        Vmdl::from_bytes(&crate::support::text(&text)).unwrap().includes
    };
    assert_eq!(model("models\\\\a.vmdl"), ["models/a.vmdl"]);
    assert!(model("").is_empty());
}

#[test]
fn materials_are_replaced_by_the_default_group_and_the_skin() {
    let group = |class: &str, rest: &str| format!("{{ _class = \"{class}\" {rest} }},");
    let remap = |from: &str, to: &str| format!("{{ from = \"{from}\" to = \"{to}\" }},");
    let remaps = |list: &str| format!("remaps = [ {list} ]");
    let pairs = [remap("wood.vmat", "m/oak.vmat"), remap("empty", ""), remap("X\\\\y", "m/y")].concat();
    let default = group("DefaultMaterialGroup", &remaps(&pairs));
    let gold = group("MaterialGroup", &format!("name = \"gold\" {}", remaps(&remap("m/oak.vmat", "m/gold.vmat"))));
    let model_a = model(&[&*default, &gold].concat());
    for (name, skin, expected) in [
        ("WOOD", None, "m/oak.vmat"),
        ("wood.vmat", Some("Gold"), "m/gold.vmat"),
        ("wood", Some("missing"), "m/oak.vmat"),
        ("x/y.vmat", None, "m/y.vmat"),
        ("empty", None, "models/props/materials/empty.vmat"),
        ("iron.VMAT", None, "models/props/materials/iron.VMAT"),
        ("materials\\iron", None, "materials/iron.vmat"),
    ] {
        assert_eq!(model_a.resolve_material(name, skin, "models\\props/a.vmdl"), expected, "{name} {skin:?}");
    }
    assert_eq!(model_a.resolve_material("iron", None, "a.vmdl"), "materials/iron.vmat");
    let any = model(&group("DefaultMaterialGroup", &remaps(&remap("", "m/all.vmat"))));
    assert_eq!(any.resolve_material("b/c.vmat", None, "a.vmdl"), "m/all.vmat");
    let global = "use_global_default = true global_default_material = \"m/global.vmat\"";
    let global = model(&group("DefaultMaterialGroup", global));
    assert_eq!(global.resolve_material("b", None, "a.vmdl"), "m/global.vmat");
}

#[test]
fn sources_of_dota_are_read_in_both_syntaxes() {
    let old = b"<!-- schema text {7e125a45-3d83-4043-b292-9e24f8ef27b4} generic {198980d8-3a93-4919-b4c6-dd1fb07a3a4b} -->\n\
        CVModel CVModel_0\n{\n\tCVmeshList m_meshList = CVmeshList\n\t{\n\t\tCVmesh[] m_meshList = \n\t\t[\n\t\t\tCVmesh\n\t\t\t{\n\
        \t\t\t\tstring m_meshName = \"farm\"\n\t\t\t\tstring m_meshFile = \"models/farm.fbx\"\n\t\t\t\tCVmorphInfo* m_pMorphInfo = NULL\n\
        \t\t\t}\n\t\t]\n\t}\n\tCVphysicsMesh\n\t{\n\t\tstring m_meshFile = \"models/hull.fbx\"\n\t}\n\
        \tfloat(3) m_v = ( -106.6, 12.4 )\n\tCVMaterialRemap\n\t{\n\t\tstring m_sSearchMaterial = \"farm.vmat\"\n\
        \t\tstring m_sReplaceMaterial = \"materials/farm.vmat\"\n\t}\n}\n";
    let new = crate::support::text(
        "{ _class = \"CVModel\" m_meshList = { m_meshList = [ { m_meshName = \"farm\" m_meshFile = \"models/farm.fbx\" }, ] }\n\
         m_physicsMeshList = { m_meshList = [ { m_meshFile = \"models/hull.fbx\" } ] }\n\
         m_list = [ { m_sSearchMaterial = \"*\" m_sReplaceMaterial = \"materials/farm.vmat\" } ] }",
    );
    for (text, format) in [(&old[..], "schema text"), (&new, "generic")] {
        let model = Vmdl::from_bytes(text).unwrap();
        let files: Vec<(&str, &str)> = model.meshes.iter().map(|mesh| (&*mesh.name, &*mesh.file)).collect();
        assert_eq!((&*model.format, files), (format, vec![("farm", "models/farm.fbx")]));
        assert_eq!(model.resolve_material("farm", None, "models/farm.vmdl"), "materials/farm.vmat");
    }
}

#[test]
fn the_first_remap_of_a_material_counts_also_one_for_all_materials() {
    let model = model(
        "{ _class = \"DefaultMaterialGroup\" remaps = [ { from = \"a\" to = \"\" }, { from = \"A.vmat\" to = \"m/1\" }, \
         { from = \"a\" to = \"m/2\" }, { from = \"*\" to = \"m/3\" }, { from = \"b\" to = \"m/4\" } ] }",
    );
    let lookup = model.material_lookup(None);
    let found = ["a", "b", "c"].map(|name| lookup.resolve(name, "models/x.vmdl"));
    assert_eq!(found, ["m/1.vmat", "m/3.vmat", "m/3.vmat"]);
}

#[test]
fn many_meshes_levels_of_detail_and_remaps_are_looked_up_by_name() {
    const COUNT: usize = 20_000;
    let list = |item: &dyn Fn(usize) -> String| (0..COUNT).map(item).collect::<Vec<_>>().join(", ");
    let meshes = list(&|index| format!("{{ _class = \"RenderMeshFile\" name = \"{index}\" filename = \"m.dmx\" }}"));
    let names = list(&|index| format!("\"{}\"", index * 2));
    let remaps = list(&|index| format!("{{ from = \"{index}\" to = \"m/{index}.vmat\" }}"));
    let start = std::time::Instant::now();
    let model = model(&format!(
        "{meshes}, {{ _class = \"LODGroup\" meshes = [ ] }}, {{ _class = \"LODGroup\" meshes = [ {names} ] }}, \
         {{ _class = \"DefaultMaterialGroup\" remaps = [ {remaps} ] }}"
    ));
    assert_eq!(model.visible_meshes().count(), COUNT / 2);
    let lookup = model.material_lookup(None);
    assert!((0..COUNT).all(|index| lookup.resolve(&index.to_string(), "") == format!("m/{index}.vmat")));
    // Comparing each name with each other one takes minutes.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
