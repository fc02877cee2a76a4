//! `$$M`: sections without names, each of which begins with its type.

use std::ops::Range;

use mapwright_io::Context as _;

use super::block::block;
use super::context::ParseContext;
use super::entity::{LIGHT, light, model, path, read_unknown_lines, sound};
use super::lexer::{Line, Lines, expected, name};
use super::{Kinds, Sections, numbers};
use crate::document::Origin;
use crate::{Block, Dialect, Entity, EntityKind, Level, Member, MemberKind, Name, Object, Part, ReadError, Start};

/// Reads all sections.
pub(super) fn sections(
    lines: &mut Lines<'_>,
    kinds: Kinds,
    context: &mut ParseContext<'_>,
) -> Result<Sections, ReadError> {
    let mut sections = Sections::default();
    let mut places = vec![Part::read(Object::new(0), Origin::new(0..0))];
    let mut sun = None;
    let mut start = lines.at();
    while let Some(head) = lines.next() {
        if head.text != b"{" {
            return Err(expected("a section in braces", head.text, head.at));
        }
        let inside = lines.at();
        let line = lines.want("the type of a section")?;
        // The public description has blocks without a level around them.
        if line.text.starts_with(b"vertices") {
            lines.seek(inside);
            let at = sections.blocks.len();
            let block = numbered_block(lines, head, at, context).in_item("blocks", at)?;
            let span = start..lines.at();
            context.push(&mut places, place(span.clone(), MemberKind::Block, block.number), span.end)?;
            start = span.end;
            context.push(&mut sections.blocks, Part::read(block, Origin::new(span)), start)?;
            sections.unusual = true;
            continue;
        }
        let kind = line.whole("the type of a section")?;
        match kind {
            0 if sections.has_level() => return Err(expected("one level", line.text, line.at)),
            5 if sun.is_some() => return Err(expected("one sun", line.text, line.at)),
            0 => level(lines, head, start, kinds, &mut sections, &mut places, context)?,
            5 => {
                let azimuth = lines.want("the azimuth of the sun")?.number("the azimuth of the sun")?;
                let elevation = lines.want("the elevation of the sun")?.number("the elevation of the sun")?;
                if let Some(line) = lines.until_close("the sun")? {
                    return Err(expected("the end of the sun", line.text, line.at));
                }
                lines.skip_blank_line();
                sun = Some((azimuth, elevation, head.at));
                sections.sun = start..lines.at();
                sections.unusual |= sections.close.end != start;
            }
            _ => {
                let at = sections.entities.len();
                let number = u32::try_from(at).unwrap_or(u32::MAX);
                let (entity, object) =
                    entity(lines, head, line, kind, number, kinds, context).in_item("entities", at)?;
                lines.skip_blank_line();
                let span = start..lines.at();
                let part = Part::read(entity, Origin::new(span.clone()));
                context.push(&mut sections.entities, part, span.end)?;
                context.push(&mut places, Part::read(object, Origin::new(span)), lines.at())?;
            }
        }
        start = lines.at();
    }
    sections.end = start;
    if let Some((azimuth, elevation, at)) = sun {
        let level = sections.entities.iter_mut().find_map(|entity| match &mut entity.read_mut().kind {
            EntityKind::Level(level) => Some(level),
            _ => None,
        });
        let level = level.ok_or_else(|| expected("a level besides the sun", b"{", at))?;
        (level.azimuth, level.elevation) = (azimuth, elevation);
    }
    sections.objects = tree(places, &sections.entities);
    Ok(sections)
}

impl Sections {
    fn has_level(&self) -> bool {
        self.entities.iter().any(|entity| matches!(entity.kind, EntityKind::Level(_)))
    }
}

/// Reads a level and its blocks, after its type.
fn level(
    lines: &mut Lines<'_>,
    head: Line<'_>,
    start: usize,
    kinds: Kinds,
    sections: &mut Sections,
    places: &mut Vec<Part<Object>>,
    context: &mut ParseContext<'_>,
) -> Result<(), ReadError> {
    context.count(1, head.at)?;
    let at = sections.entities.len();
    let wad = name(lines.want("the WAD of the level").in_item("entities", at)?.file());
    let palette = name(lines.want("the palette").in_item("entities", at)?.file());
    let level = Level { wad, palette, ..Level::resolved() };
    let number = u32::try_from(at).unwrap_or(u32::MAX);
    let entity = Entity { comment: kinds.comment(head, "level"), ..Entity::new(number, EntityKind::Level(level)) };
    let mut from = lines.at();
    sections.unusual |= !sections.entities.is_empty();
    sections.entities.push(Part::read(entity, Origin::new(start..from)));
    while let Some(line) = lines.until_close("the level")? {
        if line.text != b"{" {
            return Err(expected("a block in braces", line.text, line.at));
        }
        let at = sections.blocks.len();
        let block = numbered_block(lines, line, at, context).in_item("blocks", at)?;
        let span = from..lines.at();
        from = span.end;
        context.push(places, place(span.clone(), MemberKind::Block, block.number), span.end)?;
        context.push(&mut sections.blocks, Part::read(block, Origin::new(span)), from)?;
    }
    lines.skip_blank_line();
    sections.close = from..lines.at();
    Ok(())
}

/// Reads a block after its brace. A comment has its number.
pub(super) fn numbered_block(
    lines: &mut Lines<'_>,
    head: Line<'_>,
    index: usize,
    context: &mut ParseContext<'_>,
) -> Result<Block, ReadError> {
    // The number can have a comment of its own.
    let comment = head.comment.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let number = numbers::whole(comment).unwrap_or_else(|| u32::try_from(index).unwrap_or(u32::MAX));
    let block = block(lines, number, Dialect::Resolved, context)?;
    lines.skip_blank_line();
    Ok(block)
}

/// Reads an entity after its type, and its position.
fn entity(
    lines: &mut Lines<'_>,
    head: Line<'_>,
    line: Line<'_>,
    kind: u32,
    number: u32,
    kinds: Kinds,
    context: &mut ParseContext<'_>,
) -> Result<(Entity, Object), ReadError> {
    context.count(1, line.at)?;
    let mut object = Object::new(0);
    if matches!(kind, 1..=4 | 7) {
        object.position = lines.want("a position")?.numbers("a position: three numbers").in_field("position")?;
        object.angles = lines.want("angles")?.numbers("angles: three numbers").in_field("angles")?;
    }
    let kind = match kind {
        1 => EntityKind::Start(Start { name: context.shared.name_or_none(lines.want("a name")?.text), word_04: 0 }),
        2 => EntityKind::Light(light(lines.want(LIGHT)?).in_field("light")?),
        3 | 7 => EntityKind::Model(model(lines, Dialect::Resolved, kind == 7, context).in_field("model")?),
        4 => EntityKind::Sound(sound(lines).in_field("sound")?),
        6 => EntityKind::Path(path(lines, Dialect::Resolved, context).in_field("path")?),
        _ => return Err(expected("a type of 0 to 7", line.text, line.at)),
    };
    if let EntityKind::Model(model) = &kind {
        object.scale = model.scale;
    }
    let mut entity = Entity::new(number, kind);
    entity.comment = kinds.comment(head, entity.member_kind().word());
    object.members.push(Member { kind: entity.member_kind(), number });
    read_unknown_lines(lines, &mut entity, context)?;
    Ok((entity, object))
}

/// Creates an object at the origin with one member.
fn place(span: Range<usize>, kind: MemberKind, number: u32) -> Part<Object> {
    let mut object = Object::new(0);
    object.members.push(Member { kind, number });
    Part::read(object, Origin::new(span))
}

/// Creates the objects: a root, and the positions in the order of the file. Each is unchanged as long as its section is.
fn tree(mut objects: Vec<Part<Object>>, entities: &[Part<Entity>]) -> Vec<Part<Object>> {
    objects.sort_unstable_by_key(|object| object.origin().map(|origin| origin.range().start));
    for (number, object) in (0..).zip(&mut objects) {
        object.read_mut().number = number;
    }
    let numbers = 1..u32::try_from(objects.len()).unwrap_or(u32::MAX);
    if let Some(root) = objects.first_mut().map(Part::read_mut) {
        root.members.extend(numbers.map(|number| Member { kind: MemberKind::Object, number }));
        let level = entities.iter().find(|entity| matches!(entity.kind, EntityKind::Level(_)));
        root.members.extend(level.map(|level| Member { kind: MemberKind::Level, number: level.number }));
    }
    objects
}

impl Kinds {
    /// Returns the comment after the brace of a section, unless it is the usual word.
    fn comment(self, head: Line<'_>, word: &str) -> Name {
        let usual = if self.0 { word.as_bytes() } else { b"" };
        if head.comment == usual { Name::NONE } else { name(head.comment) }
    }
}
