//! A map with every kind of item, in XML and in JSON.

use crate::support;

use mapwright_testkit::laws;
use mapwright_tiled::Document;

const MAPS: [(&str, &str); 2] = [("map.tmx", include_str!("map.tmx")), ("map.tmj", include_str!("map.tmj"))];

#[test]
fn unchanged_maps_round_trip() {
    for (name, text) in MAPS {
        laws::exact(name, text.as_bytes(), support::read, Document::to_bytes);
    }
}

#[test]
fn maps_have_no_findings() {
    for (name, text) in MAPS {
        let findings = support::document(text).validate();
        assert!(findings.is_empty(), "{name}: {findings:?}");
    }
}
