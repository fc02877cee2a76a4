//! Reads Quake maps as scenes.

mod face;
mod lexer;

use std::collections::{BTreeMap, HashMap};

use mapwright_io::format_count;
use mapwright_scene::angles::X_TO_MINUS_Z;
use mapwright_scene::{
    Brush, Content, Entity, Import, LossKind, Losses, Material, MaterialId, Node, NodeId, Properties, Scene, Transform,
};

use self::lexer::{Lexer, Token};
use super::{AXES, ImportOptions, NO_TEXTURE, angles, light};
use crate::{Error, ErrorKind};

/// Reads a map. Every entity and every brush becomes a node, in order.
///
/// # Errors
/// If the text is not a map, with line and column; if a limit of the options is reached.
pub fn to_scene(bytes: &[u8], options: &ImportOptions) -> Result<Import, Error> {
    let limit = options.max_objects.unwrap_or_else(|| (bytes.len() as u64 / 8).saturating_add(10_000));
    let mut reader = Reader {
        lexer: Lexer::new(bytes),
        options,
        left: limit,
        limit,
        scene: Scene { metres_per_unit: options.metres_per_unit, ..Scene::default() },
        materials: HashMap::new(),
        notes: BTreeMap::new(),
        skipped: 0,
    };
    reader.entities()?;
    if reader.scene.brushes.is_empty() && reader.skipped > 0 {
        let what = "the grammar of every brush and patch".to_owned();
        return Err(Error::new(ErrorKind::Unsupported(what), reader.lexer.last));
    }
    let mut losses = reader.losses();
    report_head(bytes, &mut losses);
    Ok(Import { scene: reader.scene, losses })
}

struct Reader<'a> {
    lexer: Lexer<'a>,
    options: &'a ImportOptions,
    /// Number of entities, brushes and key values that are still allowed.
    left: u64,
    limit: u64,
    scene: Scene,
    materials: HashMap<String, MaterialId>,
    /// Losses: their number and first position.
    notes: BTreeMap<(LossKind, &'static str), (usize, String)>,
    /// Number of brushes and patches of other grammars.
    skipped: usize,
}

/// Reports comments with the game and the format that writing replaces.
fn report_head(bytes: &[u8], losses: &mut Losses) {
    let lines = bytes.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
    for line in lines.take_while(|line| line.is_empty() || line.starts_with(b"//")) {
        let game = line.strip_prefix(b"// Game: ").filter(|game| !matches!(*game, b"Quake" | b"Quake 2"));
        let format = line.strip_prefix(b"// Format: ");
        let format = format.filter(|format| !matches!(*format, b"Standard" | b"Valve" | b"Quake2" | b"Quake2 (Valve)"));
        if game.or(format).is_some() {
            let line = String::from_utf8_lossy(line.get(..200).unwrap_or(line));
            losses.dropped("", format!("comment {line:?}"));
        }
    }
}

impl<'a> Reader<'a> {
    fn entities(&mut self) -> Result<(), Error> {
        let mut is_map = false;
        while let Some(token) = self.lexer.next()? {
            if token != Token::Mark(b'{') {
                let found = token.described();
                return Err(if is_map {
                    self.lexer.error(format!("expected '{{' of the next entity, found {found}"))
                } else {
                    if token == Token::Word(b"Version") {
                        let what = "a map of Doom 3 or Quake 4".to_owned();
                        return Err(Error::new(ErrorKind::Unsupported(what), self.lexer.last));
                    }
                    let kind = ErrorKind::NotTheFormat { format: "map", found, expected: "'{'" };
                    Error::new(kind, self.lexer.last)
                });
            }
            is_map = true;
            self.entity()?;
        }
        Ok(())
    }

    fn entity(&mut self) -> Result<(), Error> {
        self.take()?;
        let opened = self.lexer.last;
        let node = self.scene.add_node(None, Node::default());
        let mut keys = Properties::new();
        // The first error with a description.
        let mut class = String::new();
        loop {
            match self.lexer.next()? {
                Some(Token::Quoted(key)) => {
                    self.take()?;
                    let key = self.text(key);
                    match self.lexer.next()? {
                        Some(Token::Quoted(value)) => {
                            let value = self.text(value);
                            if key == "classname" && class.is_empty() {
                                class = value;
                            } else {
                                keys.push(key, value);
                            }
                        }
                        other => return Err(self.lexer.unexpected(other, &format!("the value of the key {key:?}"))),
                    }
                }
                Some(Token::Mark(b'{')) => self.brush(node)?,
                Some(Token::Mark(b'}')) => break,
                None => {
                    return Err(self.lexer.error(format!("unexpected end of file in the entity opened at {opened}")));
                }
                other => return Err(self.lexer.unexpected(other, "a key, a brush or '}'")),
            }
        }
        self.finish(node, class, keys);
        Ok(())
    }

    /// Sets the content of the node of an entity.
    fn finish(&mut self, id: NodeId, class: String, mut keys: Properties) {
        let Some(node) = self.scene.nodes.get_mut(id) else { return };
        let text = |key: &str| keys.get(key).and_then(mapwright_scene::Value::as_text);
        let named = |key: &str| text(key).filter(|name| !name.is_empty());
        let name = named("_tb_name").or_else(|| named("targetname")).unwrap_or(&class);
        node.name = name.to_owned();
        if node.children.is_empty() && class != "worldspawn" {
            let origin = text("origin").and_then(angles::numbers).map(|origin| AXES.apply(origin));
            if origin.is_some() {
                remove(&mut keys, "origin");
            }
            let turn = angles::rotation(&keys);
            node.transform = Transform::Trs {
                translation: origin.unwrap_or_default(),
                rotation: turn.unwrap_or([0.0, 0.0, 0.0, 1.0]),
                scale: [1.0; 3],
            };
            if class == "light" && turn.is_some() {
                node.transform = node.transform.turned(&X_TO_MINUS_Z);
            }
        }
        if class == "worldspawn" && text_is(&keys, "mapversion", "220") {
            remove(&mut keys, "mapversion");
        }
        node.content = if class == "light" && node.children.is_empty() {
            Content::Light(self.scene.lights.push(light::read(keys)))
        } else {
            let model = keys.get("model").and_then(mapwright_scene::Value::as_text).map(str::to_owned);
            if model.is_some() {
                remove(&mut keys, "model");
            }
            Content::Entity(self.scene.entities.push(Entity { class, model, properties: keys, ..Entity::default() }))
        };
    }

    fn brush(&mut self, parent: NodeId) -> Result<(), Error> {
        self.take()?;
        let opened = self.lexer.last;
        let mut brush = Brush::default();
        let mut is_other = false;
        loop {
            match self.lexer.next()? {
                Some(Token::Mark(b'(')) => {
                    if brush.sides.len() >= self.options.max_sides {
                        return Err(self.lexer.limit("sides in a brush", self.options.max_sides as u64));
                    }
                    let side = self.face()?;
                    brush.sides.push(side);
                }
                Some(Token::Word(word)) if is_other_grammar(word) => {
                    is_other = true;
                    self.skipped = self.skipped.saturating_add(1);
                    self.note(LossKind::Dropped, other_grammar(word));
                    self.skip()?;
                }
                Some(Token::Mark(b'}')) => break,
                None => {
                    return Err(self.lexer.error(format!("unexpected end of file in the brush opened at {opened}")));
                }
                other => return Err(self.lexer.unexpected(other, "a face or '}'")),
            }
        }
        if brush.sides.is_empty() {
            if !is_other {
                self.note(LossKind::Dropped, "brush without faces");
            }
            return Ok(());
        }
        let brush = self.scene.brushes.push(brush);
        self.scene.add_node(Some(parent), Node::new("", Content::Brush(brush)));
        Ok(())
    }

    /// Skips nested braces.
    fn skip(&mut self) -> Result<(), Error> {
        self.lexer.mark(b'{')?;
        let opened = self.lexer.last;
        let mut depth = 1_usize;
        while depth > 0 {
            match self.lexer.next()? {
                Some(Token::Mark(b'{')) => depth = depth.saturating_add(1),
                Some(Token::Mark(b'}')) => depth = depth.saturating_sub(1),
                Some(_) => {}
                None => {
                    return Err(self.lexer.error(format!("unexpected end of file in the braces opened at {opened}")));
                }
            }
        }
        Ok(())
    }

    fn material(&mut self, name: &[u8]) -> Result<Option<MaterialId>, Error> {
        let name = self.text(name);
        if name == NO_TEXTURE {
            return Ok(None);
        }
        if let Some(&id) = self.materials.get(&name) {
            return Ok(Some(id));
        }
        self.take()?;
        let is_tool = is_tool_texture(&name);
        let id = self.scene.materials.push(Material { is_tool, ..Material::new(name.clone()) });
        self.materials.insert(name, id);
        Ok(Some(id))
    }

    /// Converts bytes to text: UTF-8, or else one character per byte. NULs, with which some programs end texts, are removed.
    fn text(&mut self, bytes: &[u8]) -> String {
        let mut text = match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => {
                self.note(LossKind::Repaired, "text that is not UTF-8: read as Latin-1");
                bytes.iter().copied().map(char::from).collect()
            }
        };
        if text.contains('\0') {
            self.note(LossKind::Repaired, "text with NUL characters: they are ignored");
            text.retain(|c| c != '\0');
        }
        text
    }

    fn take(&mut self) -> Result<(), Error> {
        self.left = self.left.checked_sub(1).ok_or_else(|| self.lexer.limit("objects", self.limit))?;
        Ok(())
    }

    fn note(&mut self, kind: LossKind, what: &'static str) {
        let place = self.lexer.last;
        self.notes.entry((kind, what)).or_insert_with(|| (0, place.to_string())).0 += 1;
    }

    fn losses(&mut self) -> Losses {
        let mut losses = Losses::new();
        for ((kind, what), (count, place)) in std::mem::take(&mut self.notes) {
            losses.push(kind, "", format!("{count} × {what}, the first at {place}"));
        }
        if let (count, Some(place)) = self.lexer.comments {
            losses.dropped("", format!("{}, the first at {place}", format_count(count, "comment")));
        }
        losses
    }
}

fn is_other_grammar(word: &[u8]) -> bool {
    [b"brush".as_slice(), b"patch"].iter().any(|start| word.get(..5).is_some_and(|it| it.eq_ignore_ascii_case(start)))
}

fn other_grammar(word: &[u8]) -> &'static str {
    if word.first().is_some_and(|byte| byte.eq_ignore_ascii_case(&b'p')) {
        "patch"
    } else {
        "brush in an unsupported format"
    }
}

fn text_is(keys: &Properties, key: &str, value: &str) -> bool {
    keys.get(key).and_then(mapwright_scene::Value::as_text) == Some(value)
}

/// Removes the first value of a key.
fn remove(keys: &mut Properties, key: &str) {
    let place = keys.iter().position(|(name, _)| name == key);
    if let Some(place) = place {
        keys.entries.remove(place);
    }
}
/// Returns `true` for textures that games do not draw, by the names that the compilers of Quake, Half-Life, Hexen II, Quake 3 and
/// Doom 3 know. Case is ignored.
fn is_tool_texture(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    match name.rsplit_once('/') {
        None => {
            let names = ["skip", "null", "clip", "hint", "hintskip", "trigger", "aaatrigger", "origin"];
            names.contains(&&*name) || name.starts_with("sky") || name.starts_with('*') && name.ends_with("skip")
        }
        Some((folder, name)) => match folder.strip_prefix("textures/").unwrap_or(folder) {
            "common" => ["caulk", "nodraw", "hint", "trigger", "origin"].contains(&name) || name.contains("clip"),
            folder => folder == "skies",
        },
    }
}
