//! Helpers shared by the test files.
#![allow(dead_code, reason = "every test file takes what it needs")]

use mapwright_fgd::io::ErrorKind;
use mapwright_fgd::{Class, Document, Key, Member, ReadError};
use mapwright_testkit::Refusal;

/// A file with each kind of item, member and value.
pub(crate) const FILE: &str = r#"// comment
@include "base.fgd"
@exclude env_sun
@mapsize(-16384, 16384)
@version(2)
@EntityGroup "Player" { start_expanded = true }
@MaterialExclusion [ "tools" ]
@AutoVisGroup = "Brushes" [ "Triggers" [ "trigger_multiple" ] ]
@BaseClass = Named [ targetname(target_source) : "Name" : : "The name." ]
@PointClass base(Named, Angles) base(Third) size(-8 -8 -8, 8 8 8) unknown[+a, -b](c)
    halfgridsnap metadata { entity_tool_name = "Lamp" }
= light_omni : "A lamp, " +
  "in two parts." : "url"
[
    radius(float) { min = "0" } : "Radius" : -1.5 : "In inches."
    targets(*target_destination) readonly : "Targets"
    input(string) [ group="A" ] : "A key"
    model( resource:model ) { report = true } : "Model" : "a" + "b.vmdl"
    spawnflags(flags) = [ 1 : "On" : 1, 2^3 : "Off" : 0 [old, !good] ^4 : "Last" ]
    style(choices) : "Style" : "0" = [ 0: "Steady" "-1" : "None" : "help" "four" ]
    input TurnOn(void) : "Turns it on."
    output OnChange[tag](float) { a = b }
    @snippet unknown
    last(integer)
    output OnLast(void)
]
@OverrideClass = other
"#;

pub(crate) fn refusal(error: &ReadError) -> Refusal {
    Refusal::new(error.category().name(), error.position().map(|at| at.offset), error)
}

/// Reads a document for the laws of the testkit.
pub(crate) fn read(bytes: &[u8]) -> Result<Document, Refusal> {
    Document::from_bytes(bytes).map_err(|error| refusal(&error))
}

/// Reads a text that is valid.
pub(crate) fn document(text: &str) -> Document {
    Document::from_bytes(text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
}

/// Returns the class of a name.
pub(crate) fn class<'a>(document: &'a Document, name: &str) -> Class<'a> {
    document.classes().find(|class| class.name() == name).unwrap_or_else(|| panic!("no class {name}"))
}

/// Returns the key of a name.
pub(crate) fn key<'a>(class: &Class<'a>, name: &str) -> Key<'a> {
    let mut keys = class.members().filter_map(|member| match member {
        Member::Key(key) => Some(key),
        _ => None,
    });
    keys.find(|key| key.name() == name).unwrap_or_else(|| panic!("no key {name}"))
}

/// Reads everything that the views offer. Returns the number of members.
pub(crate) fn visit(document: &Document) -> usize {
    let _ = (document.includes().count(), document.excludes().count(), document.map_size());
    let mut count = 0;
    for class in document.classes() {
        let _ = (format!("{class:?}"), class.position(), class.description());
        class.helpers().for_each(|helper| drop(format!("{helper:?}")));
        for member in class.members() {
            count += 1;
            let _ = format!("{member:?}");
            match member {
                Member::Key(key) => {
                    let _ = (key.flags().count(), key.label(), key.help());
                    key.choices().for_each(|choice| drop((choice.flag(), choice.label(), choice.default())));
                }
                Member::Input(port) | Member::Output(port) => drop(port.description()),
            }
        }
    }
    count
}

/// Returns the category of an error, for short tests.
pub(crate) fn error(text: &str) -> String {
    let error = Document::from_bytes(text.as_bytes()).expect_err("the text is invalid");
    let _ = error.kind().help();
    error.to_string()
}
