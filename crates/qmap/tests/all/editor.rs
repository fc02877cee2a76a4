//! Layers and groups of editors.

use mapwright_qmap::query::Objects;
use mapwright_qmap::{EditorProblem, EditorRole, Entity};

use crate::support::map;

fn container(kind: &str, id: &str, more: &str) -> String {
    format!(
        "{{ \"classname\" \"func_group\" \"_tb_type\" \"_tb_{kind}\" \"_tb_id\" \"{id}\" \"_tb_name\" \"N{id}\" {more} }}\n"
    )
}

#[test]
fn entities_are_in_layers_and_groups() {
    let text = [
        "{ \"classname\" \"worldspawn\" }\n",
        // An id is used before it is defined.
        "{ \"classname\" \"light\" \"_tb_group\" \"7\" }\n",
        &container("layer", "7", "\"_tb_layer_hidden\" \"1\""),
        &container("group", "7", "\"_tb_layer\" \"7\" \"_tb_linked_group_id\" \"{a}\" \"_tb_transformation\" \"1 0 0 8 0 1 0 0 0 0 1 0 0 0 0 1\""),
        "{ \"classname\" \"light\" \"_tb_layer\" \"9\" }\n",
        &container("layer", "x", ""),
        &container("group", "7", ""),
    ]
    .concat();
    let map = map(&text);
    let tree = map.editor_tree();
    assert_eq!(tree.parents, [None, Some(3), None, Some(2), None, None, None]);
    let problems =
        [(5, EditorProblem::NoId), (6, EditorProblem::DuplicateId), (4, EditorProblem::UnknownId("_tb_layer"))];
    assert_eq!(tree.problems, problems);
    let roles: Vec<_> = map.entities().map(Entity::editor_role).collect();
    assert_eq!(roles[1..4], [EditorRole::Entity, EditorRole::Layer, EditorRole::Group]);
    let [layer, group] = [2, 3].map(|index| map.entity(index).unwrap());
    assert!(layer.has_editor_flag("_tb_layer_hidden") && !layer.has_editor_flag("_tb_layer_locked"));
    assert_eq!((group.editor_name().as_deref(), group.linked_group_id()), (Some("N7"), Some(&b"{a}"[..])));
    assert_eq!(group.linked_group_transformation().unwrap()[0], [1.0, 0.0, 0.0, 8.0]);
}

#[test]
fn cycles_of_groups_are_broken_at_the_last_one() {
    let text = [
        &container("group", "1", "\"_tb_group\" \"3\""),
        &container("group", "2", "\"_tb_group\" \"1\""),
        &*container("group", "3", "\"_tb_group\" \"2\""),
        &container("group", "4", "\"_tb_group\" \"4\""),
        "{ \"_tb_group\" \"2\" }",
    ]
    .concat();
    let tree = map(&text).editor_tree();
    assert_eq!(tree.parents, [Some(2), Some(0), None, None, Some(1)]);
    assert_eq!(tree.problems, [(2, EditorProblem::Cycle), (3, EditorProblem::Cycle)]);
}

#[test]
fn long_chains_of_groups_are_cut_and_queried_in_linear_time() {
    let start = std::time::Instant::now();
    let chain = |length: usize| {
        // Each group is in the next one.
        let group = |id: usize| container("group", &id.to_string(), &format!("\"_tb_group\" \"{}\"", id + 1));
        map((0..length).map(group).chain([container("group", &length.to_string(), "")]).collect::<String>())
    };
    assert_eq!(chain(64).editor_tree().problems, []);
    // The innermost group has 65 groups around it.
    assert_eq!(chain(65).editor_tree().problems, [(0, EditorProblem::TooDeep)]);
    let map = chain(50_000);
    let tree = map.editor_tree();
    assert_eq!(tree.problems.len(), 50_000 / 65);
    assert_eq!(map.select(&"group=N50000".parse().unwrap()).unwrap().len(), 64);
    assert!(map.validate().iter().any(|finding| finding.code == "editor-depth"));
    // The steps to the outermost group of each are 10⁹.
    assert!(start.elapsed() < std::time::Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn layers_of_netradiant_apply_from_their_comment_on() {
    let text = "//@$& layerdef \"0\" -1 0 0 0\n//@$& layerdef \"a \\\" b\" 0 255 8 0\n{\n\"classname\" \"worldspawn\"\n\
                //@$& layer 1\n{ }\n{ }\n\"a\" \"//@$& layer 0\"\n{ }\n}\n//@$& layer 0\n{ }\n";
    let layers = map(text).radiant_layers();
    // A byte order mark is not part of the first comment.
    assert_eq!(map(format!("\u{feff}{text}")).radiant_layers(), layers);
    assert_eq!((&*layers.definitions[1].name, layers.definitions[1].parent), (&b"a \\\" b"[..], Some(0)));
    assert_eq!((layers.definitions[1].color, layers.definitions[0].parent), ([255, 8, 0], None));
    assert_eq!(layers.entities, [None, Some(0)]);
    assert_eq!(layers.primitives, [Some(1); 3]);
}
