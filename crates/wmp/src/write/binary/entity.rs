//! The level and entities.

use mapwright_io::Output;

use super::block::points;
use super::chunk::{ChunkWriter, close, count, doubles, fixed, open, require_absent, single, terminated, whole};
use crate::chunk::{
    ACTION, AMBIENT, BOX, EDGES, FILE, FOG, LEVEL, LIGHT, MATERIAL, MODEL, MODEL_PATH, NAME, NODE_SKILLS, PALETTE_NAME,
    PATH, REGION, SCRIPT, SKILLS, SOUND, START, STRING, SUN, TARGET, ZERO, class,
};
use crate::{Edge, Entity, EntityKind, Level, Light, Model, Name, Path, Region, Sound, WriteError, kind};

/// Returns the id of the chunk of an entity.
pub(super) const fn id(entity: &Entity) -> u16 {
    match &entity.kind {
        EntityKind::Level(_) => LEVEL,
        EntityKind::Start(_) => START,
        EntityKind::Light(_) => LIGHT,
        EntityKind::Sound(_) => SOUND,
        EntityKind::Model(_) => MODEL,
        EntityKind::Path(_) => PATH,
        EntityKind::Region(_) => REGION,
    }
}

/// Writes an entity.
pub(super) fn write(out: &mut Output, entity: &Entity) -> Result<(), WriteError> {
    require_absent(entity.lines.is_empty(), "lines of text")?;
    let id = id(entity);
    let chunk = open(out, id);
    out.u32_le(class(id).unwrap_or_default());
    let mut row = ChunkWriter::new(&entity.extra);
    match &entity.kind {
        EntityKind::Level(value) => level(out, &mut row, value)?,
        EntityKind::Start(start) => {
            out.u32_le(start.word_04);
            row.name(out, NAME, &start.name)?;
        }
        EntityKind::Light(value) => light(out, value)?,
        EntityKind::Sound(value) => sound(out, &mut row, value)?,
        EntityKind::Model(value) => model(out, &mut row, value)?,
        EntityKind::Path(value) => path(out, &mut row, value)?,
        EntityKind::Region(value) => region(out, &mut row, value)?,
    }
    row.finish(out);
    close(out, chunk);
    Ok(())
}

fn level(out: &mut Output, row: &mut ChunkWriter<'_>, level: &Level) -> Result<(), WriteError> {
    require_absent(level.wad.is_empty(), "the textures of the build")?;
    out.u32_le(level.word_04);
    out.i32_le(level.nexus);
    out.f32_le(single(level.azimuth)?);
    out.f32_le(single(level.elevation)?);
    colour(out, row, ZERO, 0, &[0.0; 3])?;
    row.name(out, SCRIPT, &level.script)?;
    row.name(out, PALETTE_NAME, &level.palette)?;
    let [sun, ambient, fogs @ ..] = level.colours.as_slice() else {
        return require_absent(false, "a level without the colours of sun and ambient light");
    };
    require_absent(fogs.len() <= 4, "more than four fogs")?;
    for (index, fog) in (0..4_u8).zip(fogs.iter().chain(std::iter::repeat(&[0.0; 3]))) {
        colour(out, row, FOG, index, fog)?;
    }
    colour(out, row, SUN, 0, sun)?;
    colour(out, row, AMBIENT, 0, ambient)
}

/// Writes a colour and its index.
fn colour(
    out: &mut Output,
    row: &mut ChunkWriter<'_>,
    id: u16,
    index: u8,
    colour: &[f64; 3],
) -> Result<(), WriteError> {
    row.before(out);
    fixed(out, id, 4);
    out.u8(index);
    for part in colour {
        let byte = whole(*part, 255, "a part of a colour: a whole number from 0 to 255")?;
        out.u8(u8::try_from(byte).expect("at most 255"));
    }
    Ok(())
}

fn light(out: &mut Output, light: &Light) -> Result<(), WriteError> {
    out.u32_le(light.flags.unwrap_or_default().0);
    for part in light.colour {
        out.u32_le(whole(part, u32::MAX, "a part of a colour: a whole number")?);
    }
    out.f32_le(single(light.range)?);
    Ok(())
}

fn sound(out: &mut Output, row: &mut ChunkWriter<'_>, sound: &Sound) -> Result<(), WriteError> {
    out.u32_le(sound.flags.0);
    for number in sound.numbers {
        out.u32_le(whole(number, u32::MAX, "a whole number")?);
    }
    row.name(out, FILE, &sound.file)
}

fn model(out: &mut Output, row: &mut ChunkWriter<'_>, model: &Model) -> Result<(), WriteError> {
    require_absent(model.flag_digits.is_none(), "the number of digits of flags")?;
    out.u32_le(model.flags.0);
    out.u32_le(kind::media(model));
    for part in model.light() {
        out.f32_le(single(part)?);
    }
    row.name(out, NAME, &model.name)?;
    row.name(out, FILE, &model.file)?;
    row.name(out, ACTION, &model.action)?;
    row.before(out);
    let skills = open(out, SKILLS);
    out.u32_le(count(model.skills.len(), "skills")?);
    model.skills.iter().for_each(|skill| out.f64_le(*skill.get()));
    close(out, skills);
    require_absent(model.tail.len() <= 5, "more than five names at the end of a model")?;
    let tail = |slot: usize| model.tail.get(slot).unwrap_or(const { &Name::NONE });
    row.name(out, MODEL_PATH, tail(0))?;
    row.name(out, TARGET, tail(1))?;
    row.name(out, MATERIAL, tail(2))?;
    for (string, slot) in [tail(3), tail(4)].map(Name::as_bytes).into_iter().zip(0_u16..) {
        if !string.is_empty() {
            row.before(out);
            let chunk = open(out, STRING);
            out.u16_le(slot);
            terminated(out, string)?;
            close(out, chunk);
        }
    }
    Ok(())
}

fn path(out: &mut Output, row: &mut ChunkWriter<'_>, path: &Path) -> Result<(), WriteError> {
    require_absent(path.number == 0.0, "the number after the name of a path")?;
    out.u32_le(path.word_04);
    row.name(out, NAME, &path.name)?;
    row.before(out);
    points(out, path.nodes.len(), path.nodes.iter().map(|node| &node.point))?;
    row.before(out);
    let skills = open(out, NODE_SKILLS);
    out.u32_le(count(path.nodes.len(), "nodes")?);
    out.u32_le(6);
    path.nodes.iter().for_each(|node| doubles(out, &node.skills));
    close(out, skills);
    row.before(out);
    let edges = open(out, EDGES);
    out.u32_le(count(path.edges.len(), "edges")?);
    for Edge { from, to, weight, numbers } in &path.edges {
        out.u32_le(*from);
        out.u32_le(*to);
        out.f64_le(*weight);
        doubles(out, numbers);
    }
    close(out, edges);
    Ok(())
}

fn region(out: &mut Output, row: &mut ChunkWriter<'_>, region: &Region) -> Result<(), WriteError> {
    out.u32_le(region.word_04);
    row.doubles(out, BOX, [region.minimum, region.maximum].as_flattened());
    row.name(out, NAME, &region.name)
}
