//! The tree, numbers and counts, and unknown data.

use super::{Report, Spot, block, entity, face, object};
use crate::tree::{PartIndex, PartNumbers, Tree};
use crate::{Chunk, Counts, Dialect, Document, LineEnd, Shape};
use mapwright_io::format_count;

pub(super) fn check(document: &Document, report: &mut Report) {
    let tree = Tree::new(document);
    members(document, &tree, report);
    orphans(document, &tree, report);
    groups(document, &tree, report);
    numbers(document, &tree, report);
    chunks(document, report);
    line_ends(document, report);
}

fn members(document: &Document, tree: &Tree, report: &mut Report) {
    let places = PartNumbers::new(document);
    for (place, part) in document.objects.iter().enumerate() {
        let mut held = tree.members.get(place).into_iter().flatten().peekable();
        for member in &part.members {
            let word = member.kind.word();
            let Some(found) = places.find(*member) else {
                let message = format_args!("there is no {word} {}", member.number);
                report.error("member-missing", object(place), message);
                continue;
            };
            if held.peek() == Some(&&found) {
                held.next();
                let is = match found {
                    PartIndex::Entity(entity) => document.entities.get(entity).map(|entity| entity.member_kind()),
                    _ => Some(member.kind),
                };
                if let Some(is) = is.filter(|is| *is != member.kind) {
                    let message =
                        format_args!("member {} has the kind {word}, but the entity is a {}", member.number, is.word());
                    report.warning("member-word", object(place), message);
                }
                continue;
            }
            let inside = matches!(found, PartIndex::Object(other) if tree.chain(place).any(|around| around == other));
            if inside {
                let message = format_args!("object {} contains itself", member.number);
                report.error("member-cycle", object(place), message);
            } else {
                let message = format_args!("{word} {} is already a member of an object", member.number);
                report.error("member-twice", object(place), message);
            }
        }
    }
}

fn orphans(document: &Document, tree: &Tree, report: &mut Report) {
    let mut report_part = |spot: Spot, what: &str, number: u32| {
        report.warning(
            "orphan",
            spot,
            format_args!("{what} {number} is not in the tree of the root, so the level does not contain it"),
        );
    };
    for (place, part) in document.blocks.iter().enumerate().filter(|(place, _)| tree.blocks.get(*place) == Some(&None))
    {
        report_part(block(place), "block", part.number);
    }
    let entities = document.entities.iter().enumerate();
    for (place, part) in entities.filter(|(place, _)| tree.entities.get(*place) == Some(&None)) {
        report_part(entity(place), part.member_kind().word(), part.number);
    }
    for &place in tree.order.iter().skip(tree.rooted) {
        if let Some(part) = document.objects.get(place).filter(|_| tree.holder(PartIndex::Object(place)).is_none()) {
            report_part(object(place), "object", part.number);
        }
    }
}

/// Checks for groups without contents.
fn groups(document: &Document, tree: &Tree, report: &mut Report) {
    // `true` for objects with a block or an entity at any depth. Members come later in the order, so go backwards.
    let mut used = vec![false; document.objects.len()];
    for &place in tree.order.iter().rev() {
        let held = tree.members_of(place);
        let is_used = held.iter().any(|member| match member {
            PartIndex::Object(object) => used.get(*object) == Some(&true),
            _ => true,
        });
        if let Some(used) = used.get_mut(place) {
            *used = is_used;
        }
        let Some(part) = document.objects.get(place).filter(|_| !is_used) else { continue };
        if held.is_empty() {
            report.note("group-empty", object(place), format_args!("object {}: empty group", part.number));
        } else {
            let message = format_args!("object {}: group tree contains no blocks or entities", part.number);
            report.note("group-unused", object(place), message);
        }
    }
}

fn numbers(document: &Document, tree: &Tree, report: &mut Report) {
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let counts = Counts {
        blocks: count(document.blocks.len()),
        entities: count(document.entities.len()),
        objects: count(document.objects.len()),
    };
    if let Some(stated) = document.header.counts.filter(|stated| *stated != counts) {
        for (what, stated, found) in [
            ("blocks", stated.blocks, counts.blocks),
            ("entities", stated.entities, counts.entities),
            ("objects", stated.objects, counts.objects),
        ] {
            if stated != found {
                report.about(
                    "counts",
                    "header",
                    format_args!("the header states {stated} {what}, the map has {found}"),
                );
            }
        }
    }
    for (place, part) in document.blocks.iter().enumerate() {
        if let Some(index) = part.index.filter(|index| *index != part.number) {
            let message = format_args!("block {} ends with the number {index}", part.number);
            report.warning("block-index", block(place), message);
        }
    }
    // Objects of resolved maps are not in the file.
    if document.dialect == Dialect::Resolved {
        return;
    }
    let (mut blocks, mut entities) = (Vec::new(), Vec::new());
    for place in tree.order.iter().filter_map(|object| tree.members.get(*object)).flatten() {
        match *place {
            PartIndex::Block(place) => blocks.push(place),
            PartIndex::Entity(place) => entities.push(place),
            PartIndex::Object(_) => {}
        }
    }
    // Orphans are reported elsewhere.
    let mut report_part = |list: &'static str, order: &[usize], number: &dyn Fn(usize) -> Option<u32>| {
        let misplaced = order
            .iter()
            .zip(0_u32..)
            .find(|&(&place, wanted)| number(place) != Some(wanted) || usize::try_from(wanted) != Ok(place));
        if let Some((&place, wanted)) = misplaced {
            let found = number(place).unwrap_or_default();
            let message =
                format_args!("{list} are not numbered in the order of the tree: expected {wanted}, found {found}");
            report.about("numbering", list, message);
        }
    };
    report_part("blocks", &blocks, &|place| document.blocks.get(place).map(|part| part.number));
    report_part("entities", &entities, &|place| document.entities.get(place).map(|part| part.number));
    report_part("objects", &tree.order, &|place| document.objects.get(place).map(|part| part.number));
}

fn chunks(document: &Document, report: &mut Report) {
    let bytes = |chunks: &[Chunk]| chunks.iter().map(|chunk| chunk.bytes.len()).fold(0, usize::saturating_add);
    let mut about = |part: &'static str, chunks: &[Chunk]| {
        if !chunks.is_empty() {
            report.about(
                "chunk-unknown",
                part,
                format_args!("{} of unknown chunks preserved", format_count(bytes(chunks), "byte")),
            );
        }
    };
    about("header", &document.header.extra);
    about("header", &document.header.around);
    if let Some(wed) = &document.wed {
        about("wed", &wed.extra);
    }
    let mut report_part = |spot: Spot, chunks: &[Chunk]| {
        if !chunks.is_empty() {
            report.warning(
                "chunk-unknown",
                spot,
                format_args!("{} of unknown chunks preserved", format_count(bytes(chunks), "byte")),
            );
        }
    };
    for (place, part) in document.blocks.iter().enumerate() {
        report_part(block(place), &part.extra);
        if let Shape::Mesh(mesh) = &part.shape {
            mesh.faces.iter().enumerate().for_each(|(at, part)| report_part(face(place, at), &part.extra));
        }
    }
    document.entities.iter().enumerate().for_each(|(place, part)| report_part(entity(place), &part.extra));
    document.objects.iter().enumerate().for_each(|(place, part)| report_part(object(place), &part.extra));
    for (place, part) in document.entities.iter().enumerate().filter(|(_, part)| !part.lines.is_empty()) {
        let message = format_args!("{} preserved", format_count(part.lines.len(), "unknown line"));
        report.warning("lines-unknown", entity(place), message);
    }
}

fn line_ends(document: &Document, report: &mut Report) {
    let Some(source) = document.source.as_deref().filter(|source| source.dialect != Dialect::Binary) else { return };
    let mut feeds = source.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let wanted = source.line_end == LineEnd::Crlf;
    let carriage = |at: usize| at.checked_sub(1).and_then(|before| source.bytes.get(before)) == Some(&b'\r');
    if feeds.any(|(at, _)| carriage(at) != wanted) {
        report.about("line-ends", "line_end", "line ends are mixed: LF and CR LF");
    }
}
