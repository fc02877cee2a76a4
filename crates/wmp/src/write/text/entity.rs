//! The level and entities.

use mapwright_io::{Context as _, escape_bytes};

use super::numbers::{self, Form};
use super::printer::Printer;
use super::unsupported_error;
use crate::kind::media_of;
use crate::read::text::numbers::float;
use crate::{Dialect, Entity, EntityKind, Level, Light, Model, Name, Path, Region, Sound, WriteError, WriteErrorKind};

/// Writes an entity and a blank line.
pub(super) fn entity(out: &mut Printer, entity: &Entity) -> Result<(), WriteError> {
    out.put(format!("{} {} {{", entity.member_kind().word(), entity.number));
    out.comment("   // ", &entity.comment).in_field("comment")?;
    out.end();
    match &entity.kind {
        EntityKind::Level(level) => self::level(out, level).in_field("level")?,
        _ => body(out, entity)?,
    }
    lines(out, entity)?;
    out.put(b"}\n\n");
    Ok(())
}

/// Writes the known lines of an entity. The level has none here.
pub(super) fn body(out: &mut Printer, entity: &Entity) -> Result<(), WriteError> {
    match &entity.kind {
        EntityKind::Level(_) => Ok(()),
        EntityKind::Start(start) => out.name_line(&start.name).in_field("name"),
        EntityKind::Light(light) => self::light(out, light).in_field("light"),
        EntityKind::Sound(sound) => self::sound(out, sound).in_field("sound"),
        EntityKind::Model(model) => self::model(out, model).in_field("model"),
        EntityKind::Path(path) => self::path(out, path).in_field("path"),
        EntityKind::Region(region) => self::region(out, region, entity).in_field("region"),
    }
}

/// Rejects values that only binary maps store.
pub(super) fn check(out: &Printer, entity: &Entity) -> Result<(), WriteError> {
    let (word_04, media) = match &entity.kind {
        EntityKind::Level(level) => (level.word_04, None),
        EntityKind::Start(start) => (start.word_04, None),
        EntityKind::Path(path) => (path.word_04, None),
        EntityKind::Region(region) => (region.word_04, None),
        EntityKind::Model(model) => (0, model.media.filter(|media| *media != media_of(model.file.as_bytes()))),
        EntityKind::Light(_) | EntityKind::Sound(_) => (0, None),
    };
    let what = match () {
        () if !entity.extra.is_empty() => "a chunk of a binary map",
        () if word_04 != 0 => "the second word of an entity of a binary map",
        () if media.is_some() => "a media number that does not follow from the file name",
        () => return Ok(()),
    };
    Err(unsupported_error(out, what))
}

/// Writes unknown lines.
pub(super) fn lines(out: &mut Printer, entity: &Entity) -> Result<(), WriteError> {
    check(out, entity)?;
    let mut depth = 0_usize;
    for (index, line) in entity.lines.iter().enumerate() {
        // The braces of nested sections are lines, too.
        if line == "}" {
            depth = depth.checked_sub(1).ok_or_else(|| unmatched(line)).in_item("lines", index)?;
            out.line(b"}");
        } else {
            depth = depth.saturating_add(usize::from(line.as_bytes().ends_with(b"{")));
            out.name_line(line).in_item("lines", index)?;
        }
    }
    match entity.lines.last() {
        Some(last) if depth > 0 => Err(unmatched(last)).in_field("lines"),
        _ => Ok(()),
    }
}

#[cold]
fn unmatched(line: &Name) -> WriteError {
    let name = escape_bytes(line.as_bytes());
    WriteError::without_position(WriteErrorKind::Name { name, why: "the braces of unknown lines do not match" })
}

fn level(out: &mut Printer, level: &Level) -> Result<(), WriteError> {
    out.file_line(&level.wad).in_field("wad")?;
    out.file_line(&level.palette).in_field("palette")?;
    out.whole_line(level.nexus);
    out.number_line(&[level.azimuth], Form::Sun).in_field("azimuth")?;
    out.number_line(&[level.elevation], Form::Sun).in_field("elevation")?;
    out.file_line(&level.script).in_field("script")?;
    for (index, colour) in level.colours.iter().enumerate() {
        out.number_line(colour, Form::Colour).in_item("colours", index)?;
    }
    Ok(())
}

fn light(out: &mut Printer, light: &Light) -> Result<(), WriteError> {
    out.indent();
    out.numbers(&light.colour, Form::Colour).in_field("colour")?;
    out.put(b" ");
    out.number(light.range, Form::Plain).in_field("range")?;
    if let Some(flags) = light.flags {
        out.put(b" ");
        out.flags(flags.0);
    }
    out.end();
    Ok(())
}

fn sound(out: &mut Printer, sound: &Sound) -> Result<(), WriteError> {
    out.file_line(&sound.file).in_field("file")?;
    out.flag_line(sound.flags.0);
    out.number_line(&sound.numbers, Form::Plain).in_field("numbers")
}

fn model(out: &mut Printer, model: &Model) -> Result<(), WriteError> {
    out.number_line(&model.scale, Form::Plain).in_field("scale")?;
    out.file_line(&model.file).in_field("file")?;
    out.name_line(&model.name).in_field("name")?;
    out.name_line(&model.action).in_field("action")?;
    if model.skills.is_empty() {
        return Err(unsupported_error(out, "a model without skills"));
    }
    out.indent();
    for (index, skill) in model.skills.iter().enumerate() {
        if index > 0 {
            out.put(b" ");
        }
        match skill.text() {
            Some(text) if out.dialect == Dialect::A4 => out.put(text),
            // A4 prints whole skills without a point.
            _ => out.number(*skill.get(), Form::Whole).in_item("skills", index)?,
        }
    }
    out.end();
    out.indent();
    match model.flag_digits {
        Some(digits) => {
            out.put(b"'");
            numbers::flags(&mut out.text, model.flags.0, digits.into());
            out.put(b"'");
        }
        None => out.flags(model.flags.0),
    }
    out.end();
    out.number_line(&[model.ambient], Form::Plain).in_field("ambient")?;
    // In resolved maps, the type of the section determines whether there is an albedo.
    let may_have_albedo = out.dialect != Dialect::Resolved || is_long(model);
    match model.albedo {
        Some(albedo) => out.number_line(&[albedo], Form::Plain).in_field("albedo")?,
        None if may_have_albedo && model.tail.first().is_some_and(|name| float(name.as_bytes()).is_some()) => {
            return Err(unsupported_error(out, "a model without albedo, but with a number as its path"));
        }
        None => {}
    }
    for (index, name) in model.tail.iter().enumerate() {
        out.optional_line(name).in_item("tail", index)?;
    }
    Ok(())
}

/// Returns `true` if a model of a resolved map is of the type with an albedo.
pub(super) fn is_long(model: &Model) -> bool {
    model.albedo.is_some() || model.skills.len() > 8
}

fn path(out: &mut Printer, path: &Path) -> Result<(), WriteError> {
    let old = matches!(out.dialect, Dialect::A4 | Dialect::A5);
    if old && (!path.edges.is_empty() || path.nodes.iter().any(|node| node.skills != [0.0; 6])) {
        return Err(unsupported_error(out, "skills and edges of a path"));
    }
    if !old && path.number != 0.0 {
        return Err(unsupported_error(out, "the number after the name of a path"));
    }
    out.name_line(&path.name).in_field("name")?;
    if old {
        out.number_line(&[path.number], Form::Plain).in_field("number")?;
    }
    out.whole_line(path.nodes.len());
    if !old {
        let triplets = path.nodes.len().saturating_mul(3).saturating_add(path.edges.len().saturating_mul(2));
        out.whole_line(triplets);
    }
    for (index, node) in path.nodes.iter().enumerate() {
        out.number_line(&node.point, Form::Plain).in_item("nodes", index)?;
    }
    if !old {
        for (index, node) in path.nodes.iter().enumerate() {
            out.number_line(&node.skills, Form::Plain).in_item("nodes", index)?;
        }
    }
    for (index, edge) in path.edges.iter().enumerate() {
        out.indent();
        out.put(format!("{} {} ", edge.from, edge.to));
        let [a, b, c] = edge.numbers;
        out.numbers(&[edge.weight, a, b, c], Form::Plain).in_item("edges", index)?;
        out.end();
    }
    Ok(())
}

/// Writes name and box, unless unknown lines represent the box.
fn region(out: &mut Printer, region: &Region, entity: &Entity) -> Result<(), WriteError> {
    out.name_line(&region.name).in_field("name")?;
    let has_box = region.minimum != [0.0; 3] || region.maximum != [0.0; 3];
    if has_box || entity.lines.is_empty() {
        out.number_line(&region.minimum, Form::Plain).in_field("minimum")?;
        out.number_line(&region.maximum, Form::Plain).in_field("maximum")?;
    }
    Ok(())
}
