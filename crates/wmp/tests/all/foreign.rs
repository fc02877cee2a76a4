//! Parts of one file in another.

use mapwright_wmp::{Dialect, Document, Part, Start};
use mapwright_wmp::{Entity, EntityKind, Member, MemberKind, Object};

/// Returns a map with a named start, read from a file.
fn map(dialect: Dialect, name: &str) -> Document {
    let mut map = Document::new(dialect);
    map.entities.push(Part::new(Entity::new(1, EntityKind::Start(Start { name: name.into(), word_04: 0 }))));
    let members = vec![Member { kind: MemberKind::Start, number: 1 }];
    map.objects.push(Part::new(Object { members: members.into(), ..Object::new(1) }));
    map.objects[0].members.insert(0, Member { kind: MemberKind::Object, number: 1 });
    Document::from_bytes(&map.to_bytes().unwrap()).unwrap()
}

/// The bytes at its offset in the other file are not its own.
#[test]
fn parts_of_other_files_are_printed() {
    for dialect in [Dialect::A4, Dialect::A5, Dialect::A7, Dialect::Binary] {
        let (mut one, other) = (map(dialect, "here"), map(dialect, "away"));
        one.entities[1] = other.entities[1].clone();
        let mut streamed = Vec::new();
        one.write_to(&mut streamed).unwrap();
        assert_eq!(one.to_bytes().unwrap(), streamed, "{dialect:?}");
        let found = Document::from_bytes(&streamed).unwrap();
        assert_eq!(found.entities[1].name().as_bytes(), b"away", "{dialect:?}");
        // Equal parts change nothing.
        assert_eq!(streamed, other.to_bytes().unwrap(), "{dialect:?}");
    }
}
