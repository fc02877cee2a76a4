//! Queries select what the grammar says.

use mapwright_query::{Fields, Objects, Query, QueryError};

use crate::{LIGHT, Level};

#[test]
fn comparisons_select_objects() {
    let level = Level::sample();
    let cases: &[(&str, &[&str])] = &[
        ("", &["Hall", "Door 1", "T\u{fffd}o", "prop_static", "info_\u{141}"]),
        ("*", &["Hall", "Door 1", "T\u{fffd}o", "prop_static", "info_\u{141}"]),
        // Names, text and words of the grammar have no case.
        ("NAME=hall", &["Hall"]),
        ("name=HA* OR Name='door 1'", &["Hall", "Door 1"]),
        ("name=door?1", &["Door 1"]),
        ("name='ha*'", &[]),
        ("name=T\\xb3o", &["T\u{fffd}o"]),
        ("name~oo", &["Door 1"]),
        ("name~OR", &["Door 1"]),
        ("class=INFO_\u{142}", &["info_\u{141}"]),
        // Numbers compare as numbers, also where they are text.
        ("range=4.00", &["Hall"]),
        ("radius>=9.5", &["Door 1"]),
        ("range>9.5", &["info_\u{141}"]),
        ("count<-5", &["T\u{fffd}o"]),
        ("count>=0x7", &["Door 1"]),
        ("count=7.0", &["Door 1"]),
        ("range=0x4", &["Hall"]),
        ("skin=2.0 && kind==entity", &["prop_static"]),
        // A field exists whatever its value; objects that lack it are not compared.
        ("count=0", &["Hall"]),
        ("albedo=0", &["T\u{fffd}o"]),
        ("albedo!=0", &["Door 1"]),
        ("not albedo=0", &["Hall", "Door 1", "prop_static", "info_\u{141}"]),
        // Flags.
        ("flags='static|shadow'", &["Door 1"]),
        ("flags=STATIC,SHADOW", &["Door 1"]),
        ("flags~STATIC", &["Hall", "Door 1"]),
        ("flags=0", &["T\u{fffd}o"]),
        // Lists of numbers, and fields with several values.
        ("origin='4 0 -1'", &["Hall"]),
        ("origin=4,0,-1", &["Hall"]),
        ("angles='0 90 0'", &["prop_static"]),
        ("group=tower and range<1", &["T\u{fffd}o"]),
        ("group=root and range<1", &["T\u{fffd}o"]),
        ("group=hall", &[]),
        ("name=T* and group!=root", &[]),
        ("name=T* and group!=hall", &["T\u{fffd}o"]),
        // Words between conditions.
        ("kind in (light, 'entity') & !(kind=light | skin=2)", &["info_\u{141}"]),
        ("name in (hall, door*)", &["Hall", "Door 1"]),
        ("name not in (hall, door*)", &["T\u{fffd}o", "prop_static", "info_\u{141}"]),
        ("not not name=hall", &["Hall"]),
        ("#2", &["Door 1"]),
        ("#2 || #3", &["Door 1", "T\u{fffd}o"]),
        ("name=hall or name~door and range<1", &["Hall"]),
        ("model=models\\a.mdl", &["info_\u{141}"]),
        ("model=models\\\\a.mdl", &["info_\u{141}"]),
        ("kind=light & x=4", &["Hall"]),
    ];
    for (query, expected) in cases {
        assert_eq!(level.names(query), *expected, "{query}");
    }
}

#[test]
fn queries_print_as_they_are_read() {
    for (text, printed) in [
        ("", "*"),
        ("a=1&b=2|c=3", "(a=1 and b=2) or c=3"),
        ("a=1 and (b=2 or not c='x y')", "a=1 and (b=2 or not c=\"x y\")"),
        ("name in (a, 'b c', d*)", "name in (a, \"b c\", d*)"),
        ("name=a\\ b*", "name=a\\ b*"),
        ("name=\"\\\"\"", "name=\"\\\"\""),
        ("name=\\xff", "name=\\xff"),
        ("'two words'!=\"*\"", "\"two words\"!=\"*\""),
        ("#7 and *", "#7 and *"),
    ] {
        let query: Query = text.parse().unwrap();
        assert_eq!(query.to_string(), printed, "{text}");
        assert_eq!(query.to_string().parse::<Query>().unwrap().to_string(), printed);
    }
}

#[test]
fn syntax_errors_name_column_and_expectation() {
    for (text, expected) in [
        // Outside quotes the bar is `or`.
        ("flags=static|shadow", "column 20: expected one of = != < <= > >= ~ in, found the end"),
        ("name", "column 5: expected one of = != < <= > >= ~ in, found the end"),
        ("name=", "column 6: expected a value (in quotes if it begins with an operator), found the end"),
        ("name==!x", "column 7: expected a value (in quotes if it begins with an operator), found `!x`"),
        (
            "name='x",
            "column 6: expected a value (in quotes if it begins with an operator), found a quote that is not closed",
        ),
        ("a=1 b=2", "column 5: expected `and`, `or` or the end, found `b=2`"),
        ("(a=1", "column 5: expected `)`, found the end"),
        ("a in 1", "column 6: expected `(`, found `1`"),
        ("a in (1 2)", "column 9: expected `,` or `)`, found `2)`"),
        ("\u{142}=1 and &", "column 9: expected a condition such as class=light or range>200, found `&`"),
        ("#", "column 1: expected a condition such as class=light or range>200, found `#`"),
    ] {
        assert_eq!(text.parse::<Query>().unwrap_err().to_string(), expected, "{text}");
    }
}

#[test]
fn unknown_fields_and_impossible_values_are_errors() {
    let level = Level::sample();
    for (query, expected) in [
        ("rnage=1", "unknown field `rnage`; did you mean `range`?"),
        ("not calss=a", "unknown field `calss`; did you mean `class`?"),
        ("skni=1", "unknown field `skni`; did you mean `skin`?"),
        ("kind=lihgt", "invalid value `lihgt` for `kind`: expected one of light, entity; did you mean `light`?"),
        ("count=x", "invalid value `x` for `count`: expected a whole number from -2147483648 to 2147483647"),
        (
            "count=99999999999",
            "invalid value `99999999999` for `count`: expected a whole number from -2147483648 to 2147483647",
        ),
        ("count=1.5", "invalid value `1.5` for `count`: expected a whole number from -2147483648 to 2147483647"),
        (
            "flags~SHADWO",
            "invalid value `SHADWO` for `flags`: expected a number of 32 bits, or names joined by |: STATIC SHADOW HALO; did you mean `SHADOW`?",
        ),
    ] {
        assert_eq!(level.select(&query.parse().unwrap()).unwrap_err().to_string(), expected, "{query}");
    }
    let error = level.select(&"y=1".parse().unwrap()).unwrap_err().to_string();
    assert!(error.starts_with("unknown field `y`; known fields: name, range,"), "{error}");
    assert!(level.select(&"zzzz=1".parse().unwrap()).unwrap_err().to_string().contains("known fields: name, range,"));
    // Entities may have any text where lights have numbers.
    assert_eq!(level.names("range=far"), [""; 0]);
}

#[test]
fn schemas_describe_fields() {
    let light = Level::sample().lights[1].clone();
    let range = LIGHT.field(LIGHT.find("RADIUS").unwrap()).unwrap();
    assert_eq!((range.name, range.unit, range.default, range.doc), ("range", "m", "5", "Radius of what it lights."));
    assert!(range.is_settable);
    assert!(!LIGHT.field(LIGHT.find("kind").unwrap()).unwrap().is_settable);
    assert_eq!(light.get_by_name("flags").unwrap().to_string(), "STATIC|SHADOW");
    let names: Vec<&str> = LIGHT.iter().map(|field| field.name).collect();
    assert_eq!(names, ["name", "range", "count", "flags", "position", "albedo", "x", "kind"]);
}

#[test]
fn comparisons_that_a_document_cannot_satisfy_are_false_among_several() {
    let level = Level::sample();
    let query: Query = "kind=tree or colour=red or name=hall".parse().unwrap();
    let (selection, problems) = query.bind_any(&level.vocabulary());
    assert!(
        matches!(&problems[..], [QueryError::Value { field, .. }, QueryError::UnknownField { field: other, .. }]
            if field == "kind" && other == "colour"),
        "{problems:?}"
    );
    let mut found = Vec::new();
    level.visit(&mut |object| {
        found.extend(selection.matches(object).then(|| object.get_by_name("name").unwrap().to_string()));
    });
    assert_eq!(found, ["Hall"]);
    assert_eq!(query.bind(&level.vocabulary()).unwrap_err(), problems[0]);
}
