//! Edits change what queries select.

use mapwright_query::{Assignment, Edit, EditObjects, EditOptions, QueryError};

use crate::Level;

fn apply(level: &mut Level, edit: &str) -> Result<String, QueryError> {
    level.apply(&edit.parse()?, &EditOptions::default()).map(|edited| edited.to_string())
}

#[test]
fn assignments_change_fields() {
    let mut level = Level::sample();
    assert_eq!(
        apply(&mut level, "set kind=light: range=150, count+=3, flags+=HALO").unwrap(),
        "3 of 3 objects changed"
    );
    assert_eq!(level.lights.iter().map(|light| light.count).collect::<Vec<_>>(), [3, 10, -4]);
    assert!(level.lights.iter().all(|light| light.range == 150.0 && light.flags.0 & 4 != 0));
    assert_eq!(apply(&mut level, "set range=150: range=150").unwrap(), "0 of 3 objects changed");
    apply(&mut level, "set name=hall: flags-=STATIC|HALO, origin=1 2 3, origin+='1,1,1', x-=0.5").unwrap();
    assert_eq!((level.lights[0].flags.0, level.lights[0].position), (0, [1.5, 3.0, 4.0]));
    apply(&mut level, "set name='hall': name=A\\, b, albedo=5").unwrap();
    assert_eq!((level.lights[0].name.as_slice(), level.lights[0].albedo), (&b"A, b"[..], Some(5.0)));
    apply(&mut level, "set class=prop_static: angles=\"0 45 0\", skin+=2").unwrap();
    assert_eq!(level.entities[0].keys, [("angles".into(), "0 45 0".into()), ("skin".into(), "4".to_string())]);
}

#[test]
fn failed_edits_change_nothing() {
    for (edit, expected) in [
        ("set kind=light: rnage=5", "unknown field `rnage`; did you mean `range`?"),
        (
            "set kind=entity: count=5",
            "objects of the kind `entity` have no field `count`; select only objects that have it",
        ),
        (
            "set *: range=5, flags=1",
            "objects of the kind `entity` have no field `range`; select only objects that have it",
        ),
        ("set kind=light: kind=entity", "`kind` cannot be set on objects of the kind `light`"),
        (
            "set kind=light: count=x",
            "invalid value `x` for `count`: expected a whole number from -2147483648 to 2147483647",
        ),
        (
            "set kind=light: count+=2147483647",
            "invalid value `2147483654` for `count`: expected a whole number from -2147483648 to 2147483647",
        ),
        ("set kind=light: name+=x", "`name`: `+=` is for numbers and flags; use `=`"),
        ("set kind=light: albedo+=1", "`albedo`: `+=` needs an existing value"),
        (
            "set kind=light: name=\u{142}",
            "invalid value `\u{142}` for `name`: expected ASCII text, with other bytes as \\xHH",
        ),
        ("set name=none: range=1", "no object matches `name=none`"),
        ("set kind=light range=5", "column 23: expected `:` and assignments after the query, found the end"),
        ("set kind=light: range", "column 22: expected one of = += -=, found the end"),
        (
            "set kind=light: range=1,",
            "column 25: expected an assignment such as x=5 (values with commas are in quotes), found the end",
        ),
        ("set kind=light: origin=1,2,3", "column 27: expected one of = += -=, found `,3`"),
        ("set kind=light: name='a", "column 22: expected a closing quote, found a quote that is not closed"),
        ("set kind: range=5", "column 9: expected one of = != < <= > >= ~ in, found the end"),
        ("set : range=5", "column 5: expected a query (`*` matches every object), found `:`"),
        ("delete", "column 7: expected a query (`*` matches every object), found the end"),
        ("delete kind=light", "objects of this format cannot be deleted"),
        ("duplicate kind=light: x+=1", "objects of this format cannot be duplicated"),
        ("add light range=5", "objects cannot be added to this format"),
        ("rename texture a b", "this format has no names of the kind texture"),
        ("rename texture a", "invalid words after `rename`: expected KIND OLD NEW, such as: rename material OLD NEW"),
        ("rename texture a b*", "the new name contains a wildcard: quote it to store it"),
        (
            "rename texture a \u{142}",
            "invalid value `\u{142}` for `texture`: expected ASCII text, with other bytes as \\xHH",
        ),
        ("set level: a=5", "the document itself has no fields"),
        (
            "delte kind=light",
            "unknown edit `delte`: expected set, delete, duplicate, add, rename; did you mean `delete`?",
        ),
    ] {
        let mut level = Level::sample();
        let error = apply(&mut level, edit).unwrap_err().to_string();
        assert_eq!(error, expected, "{edit}");
        assert_eq!(level.lights, Level::sample().lights, "{edit}");
    }
}

#[test]
fn free_keys_are_created_only_on_request() {
    let mut level = Level::sample();
    let edit: Edit = "set class=prop_static: targetname='my door', range=5".parse().unwrap();
    assert!(matches!(level.apply(&edit, &EditOptions::default()), Err(QueryError::UnknownField { .. })));
    level.apply(&edit, &EditOptions::default().with_create_fields(true)).unwrap();
    assert_eq!(level.entities[0].keys[2], ("targetname".into(), "my door".into()));
    let edit: Edit = "set name=none: range=5".parse().unwrap();
    let edited = level.apply(&edit, &EditOptions::default().with_allow_no_match(true)).unwrap();
    assert_eq!((edited.matched, edited.changed), (Some(0), 0));
}

#[test]
fn edits_print_as_they_are_read() {
    for (text, printed) in [
        ("set  logic=Ele* : speed_x=150,x-=4", "set logic=Ele*: speed_x=150, x-=4"),
        ("set name='a:b' and (c=d:e): x=:", "set name=\"a:b\" and c=\"d:e\": x=\":\""),
        ("SET Level: flags=USE_Z", "set level: flags=USE_Z"),
        ("set name=don't : x=2", "set name=\"don't\": x=2"),
        ("set name=a\\ 'b: x=2", "set name=\"a 'b\": x=2"),
        ("delete kind=light", "delete kind=light"),
        ("duplicate #3", "duplicate #3"),
        ("duplicate #3: x+=64", "duplicate #3: x+=64"),
        ("add light: range=5, name='a b'", "add \"light\" range=5, name=\"a b\""),
        ("rename model data3d\\a*.p3d 'b c.p3d'", "rename \"model\" data3d\\\\a*.p3d \"b c.p3d\""),
        ("tiles fill 'My Plane' 0,0,2,2 5", "tiles fill 'My Plane' 0,0,2,2 5"),
    ] {
        let edit: Edit = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(edit.to_string(), printed, "{text}");
        assert_eq!(printed.parse::<Edit>().unwrap().to_string(), printed);
    }
}

#[test]
fn edits_of_formats_have_words_and_queries() {
    let Edit::Own(words) = "turn group='A: b' and x>1: 90 about 0,0,64".parse().unwrap() else { panic!() };
    let (query, after) = words.query_and_words().unwrap();
    assert_eq!(query.to_string(), "group=\"A: b\" and x>1");
    assert_eq!(after.to_strs(), ["90", "about", "0,0,64"]);
    let Edit::Own(words) = "plane add Action 24x8 z_coord=5, flags=MAIN".parse().unwrap() else { panic!() };
    assert_eq!(words.assignments_after(4).unwrap(), Assignment::parse_list("z_coord=5, flags=MAIN").unwrap());
}
