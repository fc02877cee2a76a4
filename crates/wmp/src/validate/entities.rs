//! Entities: names, references, flags and numbers.

use hashbrown::{HashMap, HashSet};
use mapwright_query::Value;

use super::{Report, entity, object};
use crate::resolve::has_mirrored_heading;
use crate::{Dialect, Document, EntityKind, MemberKind, Model, Name, Path};

/// Bits of models that occur in files.
const MODEL: u32 = 0x27F7_97FF;

/// Bits of lights that occur in files.
const LIGHT: u32 = 0xF;

/// The longest names: of models with eight skills, and of other entities.
const NAMES: [usize; 2] = [19, 32];

/// The longest file names: of models with eight skills, and of others.
const FILES: [usize; 2] = [12, 32];

pub(super) fn check(document: &Document, report: &mut Report) {
    let paths: Vec<&Name> = document
        .entities
        .iter()
        .filter(|entity| matches!(entity.kind, EntityKind::Path(_)))
        .map(|entity| entity.name())
        .collect();
    let references = References {
        dialect: document.dialect,
        paths: paths.len(),
        path_names: paths.into_iter().collect(),
        names: document.entities.iter().map(|entity| entity.name()).collect(),
    };
    let mut shared: HashMap<(MemberKind, &Name), (usize, usize)> = HashMap::new();
    for (place, part) in document.entities.iter().enumerate() {
        let name = part.name();
        if !name.is_empty() {
            let (_, count) = shared.entry((part.member_kind(), name)).or_insert((place, 0));
            *count = count.saturating_add(1);
        }
        let most = match &part.kind {
            EntityKind::Model(model) if model.skills.len() < 20 => NAMES[0],
            _ => NAMES[1],
        };
        let length = name.as_bytes().len();
        if length > most {
            let message = format_args!("the name \"{name}\" has {length} bytes, the engine truncates it to {most}");
            // Not a warning: one real level has 14.
            report.note("name-long", entity(place), message);
        }
        match &part.kind {
            EntityKind::Light(light) => {
                if light.range == 0.0 {
                    report.warning("light-range", entity(place), "a light with a range of 0");
                }
                flags(light.flags.map_or(0, |flags| flags.0) & !LIGHT, place, report);
            }
            EntityKind::Sound(sound) => flags(sound.flags.0 & !1, place, report),
            EntityKind::Model(model) => {
                flags(model.flags.0 & !MODEL, place, report);
                references.check(model, place, report);
                let most = if model.skills.len() < 20 { FILES[0] } else { FILES[1] };
                let length = model.file.as_bytes().len();
                if length > most {
                    let message = format_args!(
                        "the file name \"{}\" has {length} bytes, the engine truncates it to {most}",
                        model.file
                    );
                    // Not a warning: 54 real levels have 502.
                    report.note("file-long", entity(place), message);
                }
                if has_mirrored_heading(document.dialect, part) {
                    let message = "a compiled map with twenty skills: the compiler changes its heading a0 to 90° - a0";
                    // Real levels have 37 such entities, and the compiler changed them all.
                    report.note("map-entity-turned", entity(place), message);
                }
            }
            EntityKind::Path(path) => edges(document.dialect, path, place, report),
            _ => {}
        }
        if !is_finite(&part.kind) {
            report.error("number-nan", entity(place), "a number is not finite");
        }
    }
    let mut shared: Vec<_> = shared.into_iter().filter(|(_, (_, count))| *count > 1).collect();
    shared.sort_unstable_by_key(|(_, (place, _))| *place);
    for ((kind, name), (place, count)) in shared {
        let message = format_args!("{count} {}s have the name \"{name}\"", kind.word());
        // 317 names in 58 real levels.
        report.note("name-repeated", entity(place), message);
    }
    for (place, part) in document.objects.iter().enumerate() {
        let numbers = [part.position, part.angles, part.scale];
        if numbers.as_flattened().iter().any(|number| !number.is_finite()) {
            report.error("number-nan", object(place), "position, angles or scale are not finite");
        }
    }
}

fn flags(unknown: u32, place: usize, report: &mut Report) {
    if unknown != 0 {
        report.warning("flags", entity(place), format_args!("unknown flags {unknown:#x}"));
    }
}

/// Paths and entities that models may refer to.
struct References<'a> {
    dialect: Dialect,
    paths: usize,
    path_names: HashSet<&'a Name>,
    names: HashSet<&'a Name>,
}

impl References<'_> {
    fn check(&self, model: &Model, place: usize, report: &mut Report) {
        let named = |slot: usize| model.tail.get(slot).filter(|name| !name.is_empty());
        if self.dialect == Dialect::Resolved {
            // A number of a path from 1, or 0.
            let number = named(0).and_then(|name| std::str::from_utf8(name.as_bytes()).ok()?.parse::<usize>().ok());
            if let Some(number) = number.filter(|number| *number > self.paths) {
                let message = format_args!("path {number} out of range ({} paths)", self.paths);
                report.warning("path-missing", entity(place), message);
            }
            return;
        }
        if let Some(path) = named(0).filter(|path| !self.path_names.contains(path)) {
            report.warning("path-missing", entity(place), format_args!("there is no path \"{path}\""));
        }
        if let Some(target) = named(1).filter(|target| !self.names.contains(target)) {
            report.warning("target-missing", entity(place), format_args!("there is no entity \"{target}\""));
        }
    }
}

fn edges(dialect: Dialect, path: &Path, place: usize, report: &mut Report) {
    let first = dialect.first_node();
    let exists = |node: u32| {
        let node = node.checked_sub(first).and_then(|node| usize::try_from(node).ok());
        node.is_some_and(|node| node < path.nodes.len())
    };
    for (at, edge) in path.edges.iter().enumerate().filter(|(_, edge)| !exists(edge.from) || !exists(edge.to)) {
        let message =
            format_args!("an edge from node {} to {} is out of range ({} nodes)", edge.from, edge.to, path.nodes.len());
        report.warning("edge-node", ("entities", place, Some(("edges", at))), message);
    }
}

/// Returns `true` if all numbers of an entity are finite.
fn is_finite(kind: &EntityKind) -> bool {
    let fields = kind.fields();
    let finite_fields = (0..fields.schema().len()).all(|index| match fields.get(index) {
        Some(Value::Float(number)) => number.is_finite(),
        Some(Value::Numbers(numbers)) => numbers.iter().all(|number| number.is_finite()),
        _ => true,
    });
    let mut others = match kind {
        EntityKind::Path(path) => {
            let nodes = path.nodes.iter().flat_map(|node| node.point.into_iter().chain(node.skills));
            let edges = path.edges.iter().flat_map(|edge| edge.numbers.into_iter().chain([edge.weight]));
            nodes.chain(edges).chain([path.number]).collect()
        }
        // Fields have names for six colours and twenty skills. Files may have more.
        EntityKind::Level(level) => level.colours.as_flattened().to_vec(),
        EntityKind::Model(model) => model.skills.iter().map(|skill| *skill.get()).collect(),
        _ => Vec::new(),
    }
    .into_iter();
    finite_fields && others.all(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Source: "Flags", model and light bits.
    #[test]
    fn known_bits_are_those_published() {
        let seen = [8, 9, 10, 12, 15, 16, 17, 18, 20, 21, 22, 23, 24, 25, 26, 29];
        assert_eq!(MODEL, (0..8).chain(seen).fold(0, |bits, bit| bits | 1 << bit));
        assert_eq!(LIGHT, (0..4).fold(0, |bits, bit| bits | 1 << bit));
    }

    /// Source: "Warnings for check": lengths of names and files with 8 skills, and with 20.
    #[test]
    fn limits_of_names_are_those_published() {
        assert_eq!((NAMES, FILES), ([19, 32], [12, 32]));
    }
}
