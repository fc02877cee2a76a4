//! `$$M`: sections without names, which begin with their type.

use mapwright_io::Context as _;

use super::entity::{body, check, is_long, lines};
use super::numbers::Form;
use super::printer::Printer;
use super::{block, unsupported_error};
use crate::read::text::Kinds;
use crate::{Block, Entity, EntityKind, Level, Name, Object, WriteError};

/// Writes the level up to its first block, the text after the last block, and the sun.
pub(super) fn level(
    out: &mut Printer,
    entity: &Entity,
    level: &Level,
    kinds: Kinds,
) -> Result<[Vec<u8>; 3], WriteError> {
    check(out, entity)?;
    let what = match () {
        () if !entity.lines.is_empty() => Some("an unknown line of a level"),
        () if level.nexus != 0 => Some("the size of the nexus"),
        () if !level.script.is_empty() => Some("the script of a level"),
        () if !level.colours.is_empty() => Some("the colours of a level"),
        () => None,
    };
    if let Some(what) = what {
        return Err(unsupported_error(out, what));
    }
    open(out, kinds, "level", &entity.comment)?;
    out.line(b"0");
    out.file_line(&level.wad).in_field("wad")?;
    out.file_line(&level.palette).in_field("palette")?;
    let head = std::mem::take(&mut out.text);
    open(out, kinds, "sun", &Name::NONE)?;
    out.line(b"5");
    out.number_line(&[level.azimuth], Form::Sun).in_field("azimuth")?;
    out.number_line(&[level.elevation], Form::Sun).in_field("elevation")?;
    out.put(b"}\n");
    Ok([head, b"}\n".to_vec(), std::mem::take(&mut out.text)])
}

/// Writes a block of the level.
pub(super) fn numbered_block(out: &mut Printer, block: &Block) -> Result<(), WriteError> {
    out.put(format!("\t{{   // {}\n", block.number));
    out.depth = 2;
    block::block(out, block)?;
    out.put(b"\t}\n");
    Ok(())
}

/// Writes an entity, with the position of its object.
pub(super) fn entity(out: &mut Printer, entity: &Entity, place: &Object, kinds: Kinds) -> Result<(), WriteError> {
    let scale = match &entity.kind {
        EntityKind::Model(model) => model.scale,
        _ => [1.0; 3],
    };
    if place.scale != scale {
        return Err(unsupported_error(out, "a scale of an object that differs from that of its model"));
    }
    let kind = match &entity.kind {
        EntityKind::Level(_) => 0,
        EntityKind::Start(_) => 1,
        EntityKind::Light(_) => 2,
        EntityKind::Model(model) if is_long(model) => 7,
        EntityKind::Model(_) => 3,
        EntityKind::Sound(_) => 4,
        EntityKind::Path(_) => 6,
        EntityKind::Region(_) => return Err(unsupported_error(out, "a region")),
    };
    open(out, kinds, entity.member_kind().word(), &entity.comment)?;
    out.whole_line(kind);
    match &entity.kind {
        EntityKind::Path(_) if !is_origin(place) => {
            return Err(unsupported_error(out, "a position of a path other than its nodes"));
        }
        EntityKind::Path(_) => {}
        _ => {
            out.number_line(&place.position, Form::Plain).in_field("position")?;
            out.number_line(&place.angles, Form::Plain).in_field("angles")?;
        }
    }
    body(out, entity)?;
    lines(out, entity)?;
    out.put(b"}\n");
    Ok(())
}

/// Returns `true` if an object is at the origin, without rotation and scale.
pub(super) fn is_origin(object: &Object) -> bool {
    object.position == [0.0; 3] && object.angles == [0.0; 3] && object.scale == [1.0; 3]
}

/// Writes the brace that opens a section, and the word after it.
fn open(out: &mut Printer, kinds: Kinds, word: &str, comment: &Name) -> Result<(), WriteError> {
    out.put(b"{");
    if !comment.is_empty() {
        out.comment(" // ", comment).in_field("comment")?;
    } else if kinds.0 {
        out.put(format!(" //{word}"));
    }
    out.end();
    Ok(())
}
