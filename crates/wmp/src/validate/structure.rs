//! The tree, numbers and counts, and what is kept without being known.

use super::{Report, Spot, block, entity, face, object};
use crate::tree::{PartIndex, PartNumbers, Tree};
use crate::{Chunk, Counts, Dialect, Document, LineEnd, Shape};

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
                    let message = format_args!("entity {} is held as a {word}, and is a {}", member.number, is.word());
                    report.warning("member-word", object(place), message);
                }
                continue;
            }
            let inside = matches!(found, PartIndex::Object(other) if tree.chain(place).any(|around| around == other));
            if inside {
                let message = format_args!("it holds object {}, which holds it", member.number);
                report.error("member-cycle", object(place), message);
            } else {
                let message = format_args!("it holds {word} {}, which is held already", member.number);
                report.error("member-twice", object(place), message);
            }
        }
    }
}

fn orphans(document: &Document, tree: &Tree, report: &mut Report) {
    let mut say = |spot: Spot, what: &str, number: u32| {
        report.warning("orphan", spot, format_args!("nothing holds {what} {number}: it is not in the world"));
    };
    for (place, part) in document.blocks.iter().enumerate().filter(|(place, _)| tree.blocks.get(*place) == Some(&None))
    {
        say(block(place), "block", part.number);
    }
    let entities = document.entities.iter().enumerate();
    for (place, part) in entities.filter(|(place, _)| tree.entities.get(*place) == Some(&None)) {
        say(entity(place), part.member_kind().word(), part.number);
    }
    for &place in tree.order.iter().skip(tree.rooted) {
        if let Some(part) = document.objects.get(place).filter(|_| tree.holder(PartIndex::Object(place)).is_none()) {
            say(object(place), "object", part.number);
        }
    }
}

/// Groups of nothing.
fn groups(document: &Document, tree: &Tree, report: &mut Report) {
    // Whether each object holds a block or an entity, however deep: what is held comes later in the order.
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
            report.note("group-empty", object(place), format_args!("object {} holds nothing", part.number));
        } else {
            let message = format_args!("object {} holds nothing but groups that hold nothing", part.number);
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
                report.about("counts", "header", format_args!("{stated} {what} are stated, there are {found}"));
            }
        }
    }
    for (place, part) in document.blocks.iter().enumerate() {
        if let Some(index) = part.index.filter(|index| *index != part.number) {
            let message = format_args!("block {} ends with the number {index}", part.number);
            report.warning("block-index", block(place), message);
        }
    }
    // Objects of resolved maps are made up.
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
    // What nothing holds is said elsewhere.
    let mut say = |list: &'static str, order: &[usize], number: &dyn Fn(usize) -> Option<u32>| {
        let odd = order
            .iter()
            .zip(0_u32..)
            .find(|&(&place, wanted)| number(place) != Some(wanted) || usize::try_from(wanted) != Ok(place));
        if let Some((&place, wanted)) = odd {
            let found = number(place).unwrap_or_default();
            let message =
                format_args!("{list} are not numbered as the tree has them: number {wanted} would be that of {found}");
            report.about("numbering", list, message);
        }
    };
    say("blocks", &blocks, &|place| document.blocks.get(place).map(|part| part.number));
    say("entities", &entities, &|place| document.entities.get(place).map(|part| part.number));
    say("objects", &tree.order, &|place| document.objects.get(place).map(|part| part.number));
}

fn chunks(document: &Document, report: &mut Report) {
    let bytes = |chunks: &[Chunk]| chunks.iter().map(|chunk| chunk.bytes.len()).fold(0, usize::saturating_add);
    let mut about = |part: &'static str, chunks: &[Chunk]| {
        if !chunks.is_empty() {
            report.about("chunk-unknown", part, format_args!("{} bytes that are not known are kept", bytes(chunks)));
        }
    };
    about("header", &document.header.extra);
    about("header", &document.header.around);
    if let Some(wed) = &document.wed {
        about("wed", &wed.extra);
    }
    let mut say = |spot: Spot, chunks: &[Chunk]| {
        if !chunks.is_empty() {
            report.warning("chunk-unknown", spot, format_args!("{} bytes that are not known are kept", bytes(chunks)));
        }
    };
    for (place, part) in document.blocks.iter().enumerate() {
        say(block(place), &part.extra);
        if let Shape::Mesh(mesh) = &part.shape {
            mesh.faces.iter().enumerate().for_each(|(at, part)| say(face(place, at), &part.extra));
        }
    }
    document.entities.iter().enumerate().for_each(|(place, part)| say(entity(place), &part.extra));
    document.objects.iter().enumerate().for_each(|(place, part)| say(object(place), &part.extra));
    for (place, part) in document.entities.iter().enumerate().filter(|(_, part)| !part.lines.is_empty()) {
        let message = format_args!("{} lines that are not known are kept", part.lines.len());
        report.warning("lines-unknown", entity(place), message);
    }
}

fn line_ends(document: &Document, report: &mut Report) {
    let Some(source) = document.source.as_deref().filter(|source| source.dialect != Dialect::Binary) else { return };
    let mut feeds = source.bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    let wanted = source.line_end == LineEnd::Crlf;
    let carriage = |at: usize| at.checked_sub(1).and_then(|before| source.bytes.get(before)) == Some(&b'\r');
    if feeds.any(|(at, _)| carriage(at) != wanted) {
        report.about(
            "line-ends",
            "line_end",
            "some lines end with a line feed alone, others with a carriage return too",
        );
    }
}
