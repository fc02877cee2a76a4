//! Differences between two scenes.

use crate::strategies;

use mapwright_wings::diff::{Diff, FieldChange, ItemsDiff};
use mapwright_wings::{Document, Model, Name, Shape};
use proptest::prelude::*;

fn document(model: &Model) -> Document {
    Document::from_model(model).expect("a document")
}

/// Reverses differences, in an order that does not depend on which side is old.
fn turned(diff: Diff) -> Diff {
    let fields = |fields: Vec<FieldChange>| -> Vec<FieldChange> {
        fields.into_iter().map(|change| FieldChange { old: change.new, new: change.old, ..change }).collect()
    };
    let items = |mut items: ItemsDiff| {
        std::mem::swap(&mut items.added, &mut items.removed);
        for change in &mut items.changed {
            std::mem::swap(&mut change.old, &mut change.new);
            change.fields = fields(std::mem::take(&mut change.fields));
        }
        items
    };
    let mut term = diff.term;
    term.changes = fields(term.changes);
    let (objects, materials) = (items(diff.objects), items(diff.materials));
    Diff { objects, materials, properties: fields(diff.properties), term }
}

fn sorted(mut diff: Diff) -> Diff {
    let by_text = |change: &FieldChange| (change.field.clone(), change.old.clone(), change.new.clone());
    for items in [&mut diff.objects, &mut diff.materials] {
        items.changed.iter_mut().for_each(|change| change.fields.sort_by_key(by_text));
        items.changed.sort_by_key(|change| change.old.number);
    }
    diff.properties.sort_by_key(by_text);
    diff.term.changes.sort_by_key(by_text);
    diff
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_model_has_no_differences_from_itself(model in strategies::model()) {
        prop_assert_eq!(Diff::between_models(&model, &model), Diff::default());
        let document = document(&model);
        let again = Document::from_bytes(&document.to_bytes().expect("bytes")).expect("a document");
        prop_assert_eq!(Diff::between(&document, &again), Diff::default());
    }

    #[test]
    fn differences_are_the_same_both_ways(old in strategies::model(), new in strategies::model()) {
        let (there, back) = (Diff::between_models(&old, &new), Diff::between_models(&new, &old));
        prop_assert_eq!(there.is_empty(), Diff::between(&document(&old), &document(&new)).is_empty());
        prop_assert_eq!(sorted(turned(there)), sorted(back));
    }

    #[test]
    fn a_change_is_reported(old in strategies::model(), at in any::<prop::sample::Index>(), kind in 0..5_u8) {
        let mut new = old.clone();
        let objects = new.objects().count();
        prop_assume!(objects > 0);
        let (number, object) = new.objects_mut().nth(at.index(objects)).expect("one of them");
        let expected = match kind {
            0 if !object.mesh.vertices.is_empty() => {
                let vertex = &mut object.mesh.vertices[0];
                vertex[0] = if vertex[0] == 7.0 { 8.0 } else { 7.0 };
                format!("vertices moved (1 of {}, ", object.mesh.vertices.len())
            }
            1 if !object.mesh.edges.is_empty() => {
                let edge = &mut object.mesh.edges[0];
                edge.left.uv = if edge.left.uv == Some([0.25, 0.5]) { None } else { Some([0.25, 0.5]) };
                "UVs of corners (1 of ".to_owned()
            }
            2 if !object.mesh.edges.is_empty() => {
                let hard = &mut object.mesh.hard_edges;
                if hard.is_empty() { hard.push(0) } else { hard.clear() }
                "hard edges".to_owned()
            }
            3 if !object.mesh.faces.is_empty() => {
                let face = &mut object.mesh.faces[0];
                *face = if face.is_some() { None } else { Some(Name::from("new material")) };
                "materials of faces (1 of ".to_owned()
            }
            _ => {
                object.set_state(&mapwright_wings::ObjectState::Normal).expect("a state");
                prop_assume!(object.props.get("a_new_key").is_none());
                let value = mapwright_etf::Tree::from_bytes(&[97, 7]).expect("a term");
                object.props.set("a_new_key", &value).expect("a term");
                String::new()
            }
        };
        let diff = Diff::between_models(&old, &new);
        prop_assert!(diff.materials == ItemsDiff::default() && diff.properties.is_empty(), "{diff}");
        prop_assert_eq!(diff.objects.changed.len(), 1);
        prop_assert_eq!(diff.objects.changed[0].old.number, number);
        prop_assert!(diff.objects.changed[0].fields.iter().any(|change| change.field.starts_with(&expected)), "{diff}");
    }

    #[test]
    fn objects_are_added_removed_and_renamed(old in strategies::model(), name in "[a-z]{12}") {
        let mut new = old.clone();
        let objects = new.objects().count();
        prop_assume!(objects > 0);
        let (number, object) = new.objects_mut().next().expect("the first");
        object.name = name.as_str().into();
        let renamed = Diff::between_models(&old, &new);
        let (same, is_mesh) = (old.objects().map(|(_, object)| &object.name), !old.objects().next().expect("it").1.mesh.edges.is_empty());
        let first = &old.objects().next().expect("it").1.name;
        if is_mesh && same.filter(|name| *name == first).count() == 1 {
            let fields: Vec<_> = renamed.objects.changed.iter().flat_map(|change| &change.fields).collect();
            prop_assert!(fields.iter().any(|change| change.field == "name" && change.new == name), "{renamed}");
        }
        new.shapes.remove(number);
        let removed = Diff::between_models(&old, &new);
        prop_assert_eq!(removed.objects.removed.len(), removed.objects.added.len() + 1);
        new = old.clone();
        let Shape::Object(object) = old.shapes[number].clone() else { panic!("an object") };
        new.shapes.push(Shape::Object(mapwright_wings::Object { name: name.as_str().into(), ..object }));
        let added = Diff::between_models(&old, &new);
        prop_assert_eq!(added.objects.added.len(), 1);
        prop_assert_eq!(&added.objects.added[0].name, &name);
    }
}
