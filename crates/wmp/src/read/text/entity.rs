//! The level and entities.

use std::sync::Arc;

use mapwright_io::{Context as _, FormattedNumber};

use super::context::ParseContext;
use super::lexer::{FLAGS, Line, Lines, expected, fail, name};
use super::numbers;
use crate::read::shared::cost;
use crate::write::text::numbers::trimmed;
use crate::{
    Dialect, Edge, Entity, EntityKind, Level, Light, LightFlags, MemberKind, Model, ModelFlags, Name, Path, PathNode,
    ReadError, ReadErrorKind, Region, Sound, SoundFlags, Start,
};

/// Reads the contents of an entity and its closing brace. Returns `None` if the kind is not one of entities.
pub(super) fn entity(
    lines: &mut Lines<'_>,
    head: Line<'_>,
    kind: MemberKind,
    number: u32,
    dialect: Dialect,
    context: &mut ParseContext<'_>,
) -> Result<Option<Entity>, ReadError> {
    context.count(1, head.at)?;
    let kind = match kind {
        MemberKind::Level => EntityKind::Level(level(lines, context).in_field("level")?),
        MemberKind::Start => {
            EntityKind::Start(Start { name: context.shared.name_or_none(lines.want("a name")?.text), word_04: 0 })
        }
        MemberKind::Light => EntityKind::Light(light(lines.want(LIGHT)?).in_field("light")?),
        MemberKind::Sound => EntityKind::Sound(sound(lines).in_field("sound")?),
        MemberKind::Model => EntityKind::Model(model(lines, dialect, true, context).in_field("model")?),
        MemberKind::Path => EntityKind::Path(path(lines, dialect, context).in_field("path")?),
        MemberKind::Region => EntityKind::Region(region(lines).in_field("region")?),
        MemberKind::Object | MemberKind::Block => return Ok(None),
    };
    let mut entity = Entity { comment: context.shared.name_or_none(head.comment), ..Entity::new(number, kind) };
    read_unknown_lines(lines, &mut entity, context)?;
    Ok(Some(entity))
}

/// Reads unknown lines up to the end of a section.
pub(super) fn read_unknown_lines(
    lines: &mut Lines<'_>,
    entity: &mut Entity,
    context: &mut ParseContext<'_>,
) -> Result<(), ReadError> {
    let mut depth = 0_u32;
    loop {
        let line = match lines.next() {
            Some(line) if line.text == b"}" && depth == 0 => return context.memory(size(entity), lines.at()),
            Some(line) => line,
            None => return Err(fail(ReadErrorKind::Unclosed { what: "an entity" }, lines.bytes().len())),
        };
        if line.text == b"}" {
            depth = depth.saturating_sub(1);
        } else if line.text.ends_with(b"{") {
            depth = depth.saturating_add(1);
        }
        context.keep(&mut entity.lines, line, lines)?;
    }
}

/// Returns the memory that the names of an entity take: bytes and two reference counts each.
fn size(entity: &Entity) -> usize {
    let names = match &entity.kind {
        EntityKind::Model(model) => model.tail.capacity().saturating_add(5),
        EntityKind::Level(_) => 4,
        _ => 2,
    };
    names.saturating_mul(size_of::<Name>().saturating_mul(2))
}

/// Returns the next line of the section, and the lines after it. Returns `None` at the end of the section and before a nested
/// one.
pub(super) fn peek<'a>(lines: &Lines<'a>) -> Option<(Line<'a>, Lines<'a>)> {
    let mut ahead = lines.clone();
    let line = ahead.next().filter(|line| line.text != b"}" && !line.text.ends_with(b"{"))?;
    Some((line, ahead))
}

fn level(lines: &mut Lines<'_>, context: &mut ParseContext<'_>) -> Result<Level, ReadError> {
    let wad = name(lines.want("the WAD of the level in <...>")?.file());
    let palette = name(lines.want("the palette in <...>")?.file());
    let nexus = lines.want(NEXUS)?;
    let nexus = numbers::integer(nexus.text).ok_or_else(|| expected(NEXUS, nexus.text, nexus.at))?;
    let azimuth = lines.want("the azimuth of the sun")?.number("the azimuth of the sun")?;
    let elevation = lines.want("the elevation of the sun")?.number("the elevation of the sun")?;
    let script = name(lines.want("the script in <...>")?.file());
    let mut colours = Vec::new();
    while let Some((line, ahead)) = peek(lines) {
        let Ok(colour) = line.numbers("a colour") else { break };
        *lines = ahead;
        context.push(&mut colours, colour, lines.at())?;
    }
    Ok(Level { wad, palette, nexus, azimuth, elevation, script, colours, word_04: 0 })
}

const NEXUS: &str = "a whole number of megabytes";
pub(super) const LIGHT: &str = "red, green, blue and range of a light";

pub(super) fn light(line: Line<'_>) -> Result<Light, ReadError> {
    let mut words = line.words();
    let mut numbers = [0.0; 4];
    for number in &mut numbers {
        let (word, at) = words.next().ok_or_else(|| expected(LIGHT, line.text, line.at))?;
        *number = numbers::float(word).ok_or_else(|| expected(LIGHT, word, at))?;
    }
    let flags = match words.next() {
        Some((word, at)) => Some(LightFlags(numbers::flags(word).ok_or_else(|| expected(FLAGS, word, at))?)),
        None => None,
    };
    if let Some((word, at)) = words.next() {
        return Err(expected("the end of the line", word, at));
    }
    let [red, green, blue, range] = numbers;
    Ok(Light { colour: [red, green, blue], range, flags })
}

pub(super) fn sound(lines: &mut Lines<'_>) -> Result<Sound, ReadError> {
    let file = name(lines.want("the file of a sound")?.file());
    let flags = SoundFlags(lines.want(FLAGS)?.flags()?);
    let numbers = lines.want(SOUND)?.numbers(SOUND)?;
    Ok(Sound { file, flags, numbers })
}

const SOUND: &str = "volume, pitch, time and range of a sound";

pub(super) fn model(
    lines: &mut Lines<'_>,
    dialect: Dialect,
    has_albedo: bool,
    context: &mut ParseContext<'_>,
) -> Result<Model, ReadError> {
    let scale = lines.want(SCALE)?.numbers(SCALE)?;
    let file = context.shared.name_or_none(lines.want("the file of a model")?.file());
    let name = context.shared.name_or_none(lines.want("the name of a model")?.text);
    let action = context.shared.name_or_none(lines.want("the action of a model, or `ndef`")?.text);
    let line = lines.want("skills of a model")?;
    let count = line.words().count();
    let size = count.saturating_mul(size_of::<FormattedNumber<f64>>());
    // The numbers are read before the cache shows whether an earlier model has the same.
    context.check_available(size.saturating_add(count.saturating_mul(size_of::<f64>())), line.at)?;
    let mut skills = Vec::with_capacity(count);
    let mut has_format = false;
    for (word, at) in line.words() {
        let number = numbers::float(word).ok_or_else(|| expected("a skill: a number", word, at))?;
        has_format |= has_own_format(number, word, dialect);
        skills.push(number);
    }
    let skills = if has_format {
        let skills = skills.iter().zip(line.words());
        Arc::new(skills.map(|(number, (word, _))| skill(*number, word, dialect)).collect())
    } else {
        context.shared.skills(&skills)
    };
    if cost(&skills) > 0 {
        context.memory(size, line.at)?;
    }
    let line = lines.want(FLAGS)?;
    let quoted = line.text.strip_prefix(b"'").and_then(|text| text.strip_suffix(b"'"));
    let flags = ModelFlags(Line { text: quoted.unwrap_or(line.text), ..line }.flags()?);
    let flag_digits = quoted.map(|text| u8::try_from(text.len()).unwrap_or(u8::MAX));
    let ambient = lines.want(AMBIENT)?.number(AMBIENT)?;
    let mut model = Model { scale, file, name, action, skills, flags, ambient, flag_digits, ..Model::new(0) };
    if has_albedo
        && let Some((line, ahead)) = peek(lines)
        && let Some(albedo) = numbers::float(line.text)
    {
        model.albedo = Some(albedo);
        *lines = ahead;
    }
    names(lines, &mut model);
    Ok(model)
}

const SCALE: &str = "the scale of a model: three numbers";
pub(super) const AMBIENT: &str = "ambient light of a model";

/// Reads up to five names at the end of a model. Later lines are unknown.
fn names(lines: &mut Lines<'_>, model: &mut Model) {
    while let Some((line, ahead)) = peek(lines).filter(|_| model.tail.len() < 5) {
        model.tail.push(line.name());
        *lines = ahead;
    }
}

/// Returns `true` if the formatting of a skill matters: A4 stores skills as text, such as `010`.
fn has_own_format(number: f64, word: &[u8], dialect: Dialect) -> bool {
    dialect == Dialect::A4 && trimmed(number).as_bytes() != word
}

/// Creates a skill, with its formatting if that matters.
fn skill(number: f64, word: &[u8], dialect: Dialect) -> FormattedNumber<f64> {
    match std::str::from_utf8(word) {
        Ok(text) if has_own_format(number, word, dialect) => FormattedNumber::from_text(number, text),
        _ => FormattedNumber::new(number),
    }
}

pub(super) fn path(lines: &mut Lines<'_>, dialect: Dialect, context: &mut ParseContext<'_>) -> Result<Path, ReadError> {
    let mut path = Path { name: lines.want("the name of a path")?.name(), ..Path::default() };
    let old = matches!(dialect, Dialect::A4 | Dialect::A5);
    if old {
        path.number = lines.want("a number")?.number("a number")?;
    }
    let count = lines.want("the number of nodes of a path")?;
    let nodes = count.whole("the number of nodes of a path")?;
    let mut edges = 0;
    if !old {
        let line = lines.want(TRIPLETS)?;
        let triplets = line.whole(TRIPLETS)?;
        // Three numbers for the point and six for the skills of each node, six for each edge.
        let rest = u64::from(triplets).checked_sub(u64::from(nodes).saturating_mul(3)).filter(|rest| rest % 2 == 0);
        let Some(rest) = rest else {
            let kind = ReadErrorKind::Count { what: TRIPLETS, declared: triplets.into(), found: u64::from(nodes) * 3 };
            return Err(fail(kind, line.at));
        };
        edges = rest / 2;
    }
    context.count(edges.saturating_add(nodes.into()), count.at)?;
    for index in 0..nodes {
        let line = lines.want("a point of a path").in_item("nodes", index as usize)?;
        let point = line.numbers("a point: three numbers").in_item("nodes", index as usize)?;
        context.push(&mut path.nodes, PathNode { point, skills: [0.0; 6] }, lines.at())?;
    }
    if !old {
        for (index, node) in path.nodes.iter_mut().enumerate() {
            let line = lines.want("skills of a node").in_item("nodes", index)?;
            node.skills = line.numbers("six skills of a node").in_item("nodes", index)?;
        }
    }
    for index in 0..edges {
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        let line = lines.want("an edge of a path").in_item("edges", index)?;
        let edge = edge(line).in_item("edges", index)?;
        context.push(&mut path.edges, edge, lines.at())?;
    }
    Ok(path)
}

const TRIPLETS: &str = "groups of three numbers of a path";

fn edge(line: Line<'_>) -> Result<Edge, ReadError> {
    const WHAT: &str = "an edge: two nodes and four numbers";
    let mut words = line.words();
    let mut node = || {
        let (word, at) = words.next().ok_or_else(|| expected(WHAT, line.text, line.at))?;
        numbers::whole(word).ok_or_else(|| expected("the number of a node", word, at))
    };
    let (from, to) = (node()?, node()?);
    let [_, _, weight, a, b, c] = line.numbers(WHAT)?;
    Ok(Edge { from, to, weight, numbers: [a, b, c] })
}

/// Reads a name, and a box if exactly six numbers follow. No text with a region is known, so this format is a guess.
fn region(lines: &mut Lines<'_>) -> Result<Region, ReadError> {
    let mut region = Region { name: lines.want("the name of a region")?.name(), ..Region::default() };
    let Some((first, mut ahead)) = peek(lines) else { return Ok(region) };
    let corners = match (first.numbers::<6>("a box"), first.numbers::<3>("a corner")) {
        (Ok([a, b, c, d, e, f]), _) => Some(([a, b, c], [d, e, f])),
        (_, Ok(minimum)) => ahead.next().and_then(|line| Some((minimum, line.numbers("a corner").ok()?))),
        _ => None,
    };
    if let Some((minimum, maximum)) = corners {
        (region.minimum, region.maximum) = (minimum, maximum);
        *lines = ahead;
    }
    Ok(region)
}
