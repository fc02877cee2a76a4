//! The level and entities.

use std::sync::Arc;

use mapwright_io::{Fault, FormattedNumber, Input};

use super::Reader;
use super::block::points;
use super::chunk::{ChunkReader, Raw, counted, doubles, next, text};
use crate::chunk::{
    ACTION, AMBIENT, BOX, EDGES, FILE, FOG, LEVEL, LIGHT, MATERIAL, MODEL, MODEL_PATH, NAME, NODE_SKILLS, PALETTE_NAME,
    PATH, POINTS, SCRIPT, SKILLS, SOUND, START, STRING, SUN, TARGET, ZERO, class,
};
use crate::read::shared::Shared;
use crate::{
    Edge, Entity, EntityKind, Level, Light, LightFlags, Model, ModelFlags, Name, Path, PathNode, ReadError, Region,
    Sound, SoundFlags, Start, kind,
};

/// Reads an entity. Returns `None` if its class is not that of its chunk.
pub(super) fn read<'a>(raw: &Raw<'a>, number: u32, reader: &mut Reader<'_>) -> Result<Option<Entity>, ReadError> {
    let mut input = raw.body.clone();
    if class(raw.id) != Some(input.u32_le()?) {
        return Ok(None);
    }
    let mut row = ChunkReader::default();
    let kind = match raw.id {
        LEVEL => level(&mut input, &mut row, reader.shared).map(EntityKind::Level)?,
        START => start(&mut input, &mut row, reader.shared).map(EntityKind::Start)?,
        LIGHT => light(&mut input, &mut row).map(EntityKind::Light)?,
        SOUND => sound(&mut input, &mut row, reader.shared).map(EntityKind::Sound)?,
        MODEL => model(&mut input, &mut row, reader.shared).map(EntityKind::Model)?,
        PATH => path(&mut input, &mut row, reader).map(EntityKind::Path)?,
        _ => region(&mut input, &mut row, reader.shared).map(EntityKind::Region)?,
    };
    Ok(Some(Entity { extra: row.finish(), ..Entity::new(number, kind) }))
}

fn level<'a>(input: &mut Input<'a>, row: &mut ChunkReader, shared: &mut Shared) -> Result<Level, ReadError> {
    let (word_04, nexus) = (input.u32_le()?, input.i32_le()?);
    let (azimuth, elevation) = (input.f32_le()?.into(), input.f32_le()?.into());
    let (mut script, mut palette) = (Name::NONE, Name::NONE);
    let (mut zero, mut sun, mut ambient, mut fogs) = (false, None, None, Vec::new());
    while let Some(raw) = next(input)? {
        let colour = colour(&raw.body);
        match (raw.id, colour) {
            (ZERO, Some((0, [0.0, 0.0, 0.0]))) if !zero => {
                zero = true;
                row.known();
            }
            (SUN, Some((0, colour))) if sun.is_none() => {
                sun = Some(colour);
                row.known();
            }
            (AMBIENT, Some((0, colour))) if ambient.is_none() => {
                ambient = Some(colour);
                row.known();
            }
            (FOG, Some((index, colour))) if fogs.len() < 4 && usize::from(index) == fogs.len() => {
                fogs.push(colour);
                row.known();
            }
            (SCRIPT, _) => row.name(&raw, &mut script, shared),
            (PALETTE_NAME, _) => row.name(&raw, &mut palette, shared),
            _ => row.keep(&raw),
        }
    }
    fogs.resize(4, [0.0; 3]);
    let colours = [sun, ambient].map(Option::unwrap_or_default).into_iter().chain(fogs).collect();
    Ok(Level { wad: Name::NONE, palette, nexus, azimuth, elevation, script, colours, word_04 })
}

/// Reads a colour and its index.
fn colour(body: &Input<'_>) -> Option<(u8, [f64; 3])> {
    let [index, colour @ ..] = <[u8; 4]>::try_from(body.peek()).ok()?;
    Some((index, colour.map(f64::from)))
}

fn start<'a>(input: &mut Input<'a>, row: &mut ChunkReader, shared: &mut Shared) -> Result<Start, ReadError> {
    let mut start = Start { name: Name::NONE, word_04: input.u32_le()? };
    while let Some(raw) = next(input)? {
        match raw.id {
            NAME => row.name(&raw, &mut start.name, shared),
            _ => row.keep(&raw),
        }
    }
    Ok(start)
}

fn light(input: &mut Input<'_>, row: &mut ChunkReader) -> Result<Light, ReadError> {
    let flags = Some(LightFlags(input.u32_le()?));
    let colour = [input.u32_le()?, input.u32_le()?, input.u32_le()?].map(f64::from);
    let range = input.f32_le()?.into();
    while let Some(raw) = next(input)? {
        row.keep(&raw);
    }
    Ok(Light { colour, range, flags })
}

fn sound<'a>(input: &mut Input<'a>, row: &mut ChunkReader, shared: &mut Shared) -> Result<Sound, ReadError> {
    let flags = SoundFlags(input.u32_le()?);
    let numbers = [input.u32_le()?, input.u32_le()?, input.u32_le()?, input.u32_le()?].map(f64::from);
    let mut file = Name::NONE;
    while let Some(raw) = next(input)? {
        match raw.id {
            FILE => row.name(&raw, &mut file, shared),
            _ => row.keep(&raw),
        }
    }
    Ok(Sound { file, flags, numbers })
}

fn model<'a>(input: &mut Input<'a>, row: &mut ChunkReader, shared: &mut Shared) -> Result<Model, ReadError> {
    let (flags, media) = (ModelFlags(input.u32_le()?), input.u32_le()?);
    let light = [input.f32_le()?.into(), input.f32_le()?.into()];
    let [mut file, mut name, mut action] = [Name::NONE; 3];
    let mut skills = None;
    let mut tail = [Name::NONE; 5];
    let [path, target, material, first, second] = &mut tail;
    while let Some(raw) = next(input)? {
        match raw.id {
            NAME => row.name(&raw, &mut name, shared),
            FILE => row.name(&raw, &mut file, shared),
            ACTION => row.name(&raw, &mut action, shared),
            SKILLS if skills.is_none() => {
                skills = Some(numbers(&raw, shared)?);
                row.known();
            }
            MODEL_PATH => row.name(&raw, path, shared),
            TARGET => row.name(&raw, target, shared),
            MATERIAL => row.name(&raw, material, shared),
            STRING => {
                let mut body = raw.body.clone();
                let slot = match body.u16_le() {
                    Ok(0) => Some(&mut *first),
                    Ok(1) => Some(&mut *second),
                    _ => None,
                };
                match (slot.filter(|slot| slot.is_empty()), text(&body)) {
                    (Some(slot), Some(text)) => {
                        *slot = shared.name(text);
                        row.known();
                    }
                    _ => row.keep(&raw),
                }
            }
            _ => row.keep(&raw),
        }
    }
    let count = tail.iter().rposition(|name| !name.is_empty()).map_or(0, |last| last.saturating_add(1));
    let media = (media != kind::media_of(file.as_bytes())).then_some(media);
    let (skills, tail) = (skills.unwrap_or_default(), tail.into_iter().take(count).collect());
    let mut model = Model { file, name, action, skills, flags, tail, media, ..Model::new(0) };
    model.set_light(light);
    Ok(model)
}

/// Reads doubles after their count.
fn numbers(raw: &Raw<'_>, shared: &mut Shared) -> Result<Arc<Vec<FormattedNumber<f64>>>, Fault> {
    let mut body = raw.body.clone();
    let count = counted(&mut body, size_of::<f64>(), "skills")?;
    let mut numbers = Vec::with_capacity(count);
    for _ in 0..count {
        numbers.push(body.f64_le()?);
    }
    Ok(shared.skills(&numbers))
}

fn path<'a>(input: &mut Input<'a>, row: &mut ChunkReader, reader: &mut Reader<'_>) -> Result<Path, ReadError> {
    let mut path = Path { word_04: input.u32_le()?, ..Path::default() };
    let (mut nodes, mut skills, mut edges) = (false, false, false);
    while let Some(raw) = next(input)? {
        match raw.id {
            NAME => row.name(&raw, &mut path.name, reader.shared),
            POINTS if !nodes => {
                let points = points(&raw, "nodes", reader)?;
                path.nodes = points.into_iter().map(|point| PathNode { point, skills: [0.0; 6] }).collect();
                nodes = true;
                row.known();
            }
            NODE_SKILLS if nodes && !skills => {
                skills = node_skills(&raw, &mut path.nodes)?;
                row.known_if(skills, &raw);
            }
            EDGES if !edges => {
                path.edges = self::edges(&raw)?;
                edges = true;
                row.known();
            }
            _ => row.keep(&raw),
        }
    }
    Ok(path)
}

/// Reads six numbers for each node. Returns `false` if there are more or fewer.
fn node_skills(raw: &Raw<'_>, nodes: &mut [PathNode]) -> Result<bool, Fault> {
    let mut body = raw.body.clone();
    let (count, each) = (body.u32_le()?, body.u32_le()?);
    let bytes = nodes.len().saturating_mul(size_of::<[f64; 6]>());
    if count as usize != nodes.len() || each != 6 || body.remaining() != bytes {
        return Ok(false);
    }
    for node in nodes {
        node.skills = doubles(&mut body)?;
    }
    Ok(true)
}

fn edges(raw: &Raw<'_>) -> Result<Vec<Edge>, Fault> {
    let mut body = raw.body.clone();
    let count = counted(&mut body, size_of::<Edge>(), "edges")?;
    let mut edges = Vec::with_capacity(count);
    for _ in 0..count {
        let (from, to, weight) = (body.u32_le()?, body.u32_le()?, body.f64_le()?);
        edges.push(Edge { from, to, weight, numbers: doubles(&mut body)? });
    }
    Ok(edges)
}

fn region<'a>(input: &mut Input<'a>, row: &mut ChunkReader, shared: &mut Shared) -> Result<Region, ReadError> {
    let mut region = Region { word_04: input.u32_le()?, ..Region::default() };
    let mut seen = false;
    while let Some(raw) = next(input)? {
        let mut body = raw.body.clone();
        match raw.id {
            NAME => row.name(&raw, &mut region.name, shared),
            BOX if !seen && body.remaining() == size_of::<[f64; 6]>() => {
                (region.minimum, region.maximum) = (doubles(&mut body)?, doubles(&mut body)?);
                seen = true;
                row.known();
            }
            _ => row.keep(&raw),
        }
    }
    Ok(region)
}
