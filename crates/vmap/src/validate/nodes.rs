//! Checks single nodes.

use std::collections::HashSet;

use mapwright_dmx::{ElementRef, Value};
use mapwright_io::Finding;

use super::report::{Location, Report, lossy, marked};
use crate::NodeKind;
use crate::mesh::UnsharedMeshes;

pub(super) fn check(report: &mut Report<'_>) {
    let map = report.map;
    let in_tree = marked(map.graph().elements.len(), map.nodes().map(|visit| visit.node.id()));
    let numbers: HashSet<i32> = map.nodes().filter_map(|visit| visit.node.node_id()).map(|number| number.0).collect();
    let variables: HashSet<&[u8]> =
        map.variables().into_iter().flat_map(|all| all.iter().map(|variable| variable.name)).collect();
    // Check data that several nodes share once.
    let mut seen = HashSet::new();
    let mut meshes = UnsharedMeshes::default();
    for node in map.nodes().map(|visit| visit.node) {
        let element = node.element();
        check_lengths(report, element, "binding-lengths", &["variableTargetKeys", "variableNames"]);
        check_lengths(report, element, "override-lengths", &["variableOverrideNames", "variableOverrideValues"]);
        if let Some(plugs) = element.child("relayPlugData").filter(|plugs| seen.insert(plugs.id())) {
            check_lengths(report, plugs, "plug-lengths", &["names", "dataTypes", "plugTypes", "descriptions"]);
        }
        for binding in node.bindings().filter(|binding| !variables.contains(binding.variable)) {
            let message = format!(
                "key {:?} is bound to {:?}, which is not a variable of the map",
                lossy(binding.key),
                lossy(binding.variable)
            );
            report.warn("binding-variable", Location::Attribute(element, "variableNames"), message);
        }
        for (index, connection) in node.connections().enumerate() {
            if seen.insert(connection.element().id()) && connection.target_type() != 7 {
                let message = format!("target type {}, expected 7", connection.target_type());
                // Real maps also have type 2.
                report.note("output-type", Location::Item(element, "connectionsData", index), message);
            }
        }
        if element.get("meshData").is_some() {
            match element.child("meshData") {
                Some(data) if seen.insert(data.id()) => check_mesh(report, element, data, &mut meshes),
                Some(_) => {}
                None => {
                    report.error("mesh-unreadable", Location::Attribute(element, "meshData"), "the node has no mesh");
                }
            }
        }
        match node.kind() {
            NodeKind::Other(_) if element.is("CMapEntity") => {
                report.warn("entity-keys", Location::Element(element), "the entity has no key values");
            }
            NodeKind::Entity(entity) if seen.insert(entity.properties().id()) && entity.classname().is_empty() => {
                report.warn("entity-class", Location::Element(element), "the entity has no classname");
            }
            NodeKind::Prefab(prefab) => {
                if let Some(message) = path_flaw(prefab.path()) {
                    report.warn("prefab-path", Location::Attribute(element, "targetMapPath"), message);
                }
            }
            NodeKind::Instance(instance) => {
                let message = match instance.target() {
                    None => Some("the instance has no target"),
                    Some(target) if !matches!(target.kind(), NodeKind::Group(_)) => {
                        Some("the target of the instance is not a group")
                    }
                    Some(target) if in_tree.get(target.id().index()) != Some(&true) => {
                        Some("the target of the instance is outside the world")
                    }
                    Some(_) => None,
                };
                if let Some(message) = message {
                    report.warn("instance-target", Location::Attribute(element, "target"), message);
                }
            }
            NodeKind::StaticOverlay(overlay) => {
                for (index, target) in overlay.projection_targets().iter().enumerate() {
                    if !numbers.contains(target) {
                        let message = format!("node {target} does not exist");
                        // 18 numbers in 2 real maps.
                        report.note("overlay-target", Location::Item(element, "projectionTargets", index), message);
                    }
                }
            }
            _ => {}
        }
    }
    for data in map.root().into_iter().flat_map(crate::Root::instance_data) {
        let path = data.node_path();
        let first = path.split(|&byte| byte == b'.').next().unwrap_or_default();
        let number = std::str::from_utf8(first).ok().and_then(|number| number.parse().ok());
        if !number.is_some_and(|number| numbers.contains(&number)) {
            let message = format!("preview lighting for node {:?}, which does not exist", lossy(path));
            report.note("instance-data", Location::Element(data.element()), message);
        }
    }
}

/// Checks that parallel arrays have the same length. Missing arrays are ignored.
pub(super) fn check_lengths(report: &mut Report<'_>, element: ElementRef<'_>, code: &'static str, names: &[&str]) {
    let all: Vec<(&str, usize)> =
        names.iter().filter_map(|name| Some((*name, element.get(name)?.array_len()?))).collect();
    let unequal = all.iter().zip(all.iter().skip(1)).find(|((_, one), (_, other))| one != other);
    if let Some(((one, one_length), (other, other_length))) = unequal {
        let message = format!("lengths differ: {one} has {one_length} items, {other} has {other_length}");
        report.warn(code, Location::Attribute(element, other), message);
    }
}

fn check_mesh(report: &mut Report<'_>, element: ElementRef<'_>, data: ElementRef<'_>, meshes: &mut UnsharedMeshes) {
    match meshes.read(data) {
        Ok(mesh) => {
            for Finding { path, code, severity, message, .. } in mesh.check() {
                report.add(severity, code, Location::Below(element, "meshData", &path), message);
            }
        }
        Err(error) => {
            let location = Location::Below(element, "meshData", error.path());
            report.error("mesh-unreadable", location, error.kind().to_string());
        }
    }
}

/// Returns the problem of a prefab's path.
fn path_flaw(path: &[u8]) -> Option<&'static str> {
    let mut folders = path.split(|byte| matches!(byte, b'/' | b'\\'));
    if path.is_empty() {
        Some("the prefab has no path")
    } else if matches!(path, [b'/' | b'\\', ..] | [_, b':', ..]) {
        Some("absolute path: expected a path relative to the content folder")
    } else if folders.any(|folder| folder == b"..") {
        Some("the path leaves the content folder")
    } else {
        None
    }
}

/// Returns `true` if a value is an array with the given number of items.
pub(super) fn has_length(value: Option<&Value>, count: usize) -> bool {
    value.and_then(Value::array_len) == Some(count)
}
