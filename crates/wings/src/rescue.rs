//! Recovery of damaged files.

use std::collections::BTreeSet;

use mapwright_etf as etf;
use mapwright_etf::{Builder, Compressor, Packing, Tree};
use mapwright_io::{Category, Losses, Position, Rescued, format_count, inflate_damaged};

use crate::document::{HEADER, MAGIC};
use crate::read::from_term_error;
use crate::{Document, Material, MaterialEntry, Model, Name, ReadError, ReadErrorKind, ReadOptions, Shape};

/// First byte of a payload, and the byte after it if the term is compressed.
const PAYLOAD: u8 = 131;
const COMPRESSED: u8 = 80;
/// Tags of terms: a tuple of up to 255 elements, the empty list, a list.
const TUPLE: u8 = 104;
const NIL: u8 = 106;
const LIST: u8 = 108;
/// Bytes of the name of the program, which every damaged file must have.
const PROGRAM: usize = 11;

impl Document {
    /// Reads as much of a damaged file as possible: with a wrong length or checksum, with trailing bytes, or cut off. Of a damaged
    /// term it reads the complete objects, materials and properties. Materials that are lost get their name and default values.
    ///
    /// # Errors
    /// If the file does not begin like a Wings 3D file, if not even the start of the list of objects is readable, or if reading would
    /// exceed the limits.
    pub fn rescue(bytes: &[u8], options: &ReadOptions) -> Result<Rescued<Self>, ReadError> {
        let error = match Self::from_bytes_with(bytes, options) {
            Ok(document) => return Ok(Rescued::new(document, Losses::new())),
            Err(error) if error.category() == Category::Limit => return Err(error),
            Err(error) => error,
        };
        let mut losses = Losses::new();
        let Some(payload) = find_payload(bytes, &mut losses) else { return Err(error) };
        let at = Position::file(bytes.len().saturating_sub(payload.len()) as u64);
        let (term, packing) = unpack(payload, at, options, &mut losses)?;
        let terms = etf::ReadOptions::default().with_limits(options.limits.clone()).with_mode(options.mode);
        match Tree::from_prefix(&term, &terms) {
            Ok(tree) => {
                let after = term.len().saturating_sub(tree.as_bytes().len());
                if after > 0 {
                    losses.dropped("payload", format!("{} after the term", format_count(after, "byte")));
                }
                let mut payload = etf::Document::new(tree);
                payload.set_packing(packing);
                let document = Self::from_payload(payload);
                // An intact term needs no further repair.
                if document.model().is_ok() {
                    return Ok(Rescued::new(document, losses));
                }
            }
            Err(error) if error.category() == Category::Limit => return Err(error.map_kind(from_term_error)),
            Err(_) => {}
        }
        let model = Salvage { bytes: &term, options: &terms, losses: &mut losses }.read_scene();
        let Some(model) = model else { return Err(error.map_kind(|_| not_readable())) };
        let document = Self::from_model(&model).map_err(|error| error.map_kind(|_| not_readable()))?;
        Ok(Rescued::new(document, losses))
    }
}

fn not_readable() -> ReadErrorKind {
    ReadErrorKind::Part { code: "unreadable", expected: "nothing can be rescued: no object is complete" }
}

/// Finds the payload after a header that may be damaged.
fn find_payload<'b>(bytes: &'b [u8], losses: &mut Losses) -> Option<&'b [u8]> {
    let header = usize::try_from(HEADER).ok()?;
    if !bytes.starts_with(MAGIC.get(..PROGRAM)?) {
        return None;
    }
    let is_payload = |at: &usize| matches!(bytes.get(*at..), Some([PAYLOAD, COMPRESSED | TUPLE, ..]));
    let start = Some(header).filter(is_payload).or_else(|| (PROGRAM..64).find(is_payload))?;
    let payload = bytes.get(start..)?;
    let length = bytes.get(MAGIC.len()..header)?.first_chunk().map(|length| u32::from_be_bytes(*length));
    if !bytes.starts_with(MAGIC) || start != header {
        losses.repaired("header", "the first 19 bytes are damaged");
    } else if length.is_none_or(|length| length as usize != payload.len()) {
        let declared = length.unwrap_or_default();
        losses.repaired("header", format!("{declared} bytes are declared, {} follow", payload.len()));
    }
    Some(payload)
}

/// Returns the bytes of the term, as far as they are readable.
fn unpack(
    payload: &[u8],
    at: Position,
    options: &ReadOptions,
    losses: &mut Losses,
) -> Result<(Vec<u8>, Packing), ReadError> {
    let [_, COMPRESSED, a, b, c, d, stream @ ..] = payload else {
        return Ok((payload.get(1..).unwrap_or_default().to_vec(), Packing::Plain));
    };
    let declared = u32::from_be_bytes([*a, *b, *c, *d]);
    let (term, after) = inflate_damaged(stream, declared.into(), &options.limits, at, "payload", losses)?;
    if !after.is_empty() {
        losses.dropped("payload", format!("{} after the compressed term", format_count(after.len(), "byte")));
    }
    Ok((term, Packing::compressed(Compressor::Erlang)))
}

/// Reads the complete parts of a damaged term.
struct Salvage<'a> {
    /// The bytes that are still to be read.
    bytes: &'a [u8],
    options: &'a etf::ReadOptions,
    losses: &'a mut Losses,
}

/// The readable entries of a list.
#[derive(Default)]
struct Entries {
    terms: Vec<Tree>,
    declared: u32,
    is_complete: bool,
}

impl Salvage<'_> {
    /// Reads `{wings,2,{Shapes,Materials,Props}}`. Returns `None` without an object.
    fn read_scene(mut self) -> Option<Model> {
        let start = self.read_tuple_start()?.root().is_atom("wings");
        let version = self.read_term()?.root().as_i64();
        if !start || version != Some(2) || self.take(2)? != [TUPLE, 3] {
            return None;
        }
        let shapes = self.read_list();
        let materials = if shapes.is_complete { self.read_list() } else { Entries::default() };
        let props = if materials.is_complete { self.read_list() } else { Entries::default() };
        for (name, entries) in [("shapes", &shapes), ("materials", &materials), ("props", &props)] {
            if !entries.is_complete {
                let text = match entries.declared {
                    0 => "all entries".to_owned(),
                    declared => format!("{} of {declared} entries", declared as usize - entries.terms.len()),
                };
                self.losses.dropped(name, text);
            }
        }
        let tree = build_scene([&shapes, &materials, &props])?;
        let mut model = Document::from_payload(etf::Document::new(tree)).model().ok()?;
        self.drop_damaged_objects(&mut model);
        self.add_materials(&mut model);
        (!model.shapes.is_empty()).then_some(model)
    }

    /// Removes objects with an unexpected form: Wings would crash on loading them.
    fn drop_damaged_objects(&mut self, model: &mut Model) {
        let mut index = 0_usize;
        model.shapes.retain(|shape| {
            let place = format!("shapes[{index}]");
            index = index.saturating_add(1);
            let reason = match shape {
                Shape::Object(_) => return true,
                Shape::Other(opaque) => opaque.reason.to_string(),
            };
            self.losses.dropped(place, reason);
            false
        });
    }

    /// Adds materials that faces have and the list lacks.
    fn add_materials(&mut self, model: &mut Model) {
        let known: BTreeSet<&str> = model.materials().map(|material| material.name.as_str()).collect();
        let used = model.objects().flat_map(|(_, object)| &object.mesh.faces).flatten().map(Name::as_str);
        let missing: BTreeSet<&str> = used.filter(|name| *name != "default" && !known.contains(name)).collect();
        let missing: Vec<Name> = missing.into_iter().map(Name::from).collect();
        for name in missing {
            let path = format!("materials[{}]", model.materials.len());
            self.losses.synthesized(path, format!("the material {name}, with default values"));
            model.materials.push(MaterialEntry::Material(Material::new(name)));
        }
    }

    fn take(&mut self, count: usize) -> Option<&[u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    fn read_tuple_start(&mut self) -> Option<Tree> {
        if self.take(2)? != [TUPLE, 3] {
            return None;
        }
        self.read_term()
    }

    fn read_term(&mut self) -> Option<Tree> {
        let tree = Tree::from_prefix(self.bytes, self.options).ok()?;
        self.take(tree.as_bytes().len())?;
        Some(tree)
    }

    /// Reads the entries of a list up to the first damaged one.
    fn read_list(&mut self) -> Entries {
        let mut entries = Entries::default();
        match *self.bytes {
            [NIL, ..] => entries.is_complete = self.take(1).is_some(),
            [LIST, a, b, c, d, ..] => {
                self.take(5);
                entries.declared = u32::from_be_bytes([a, b, c, d]);
                for _ in 0..entries.declared {
                    let Some(term) = self.read_term() else { return entries };
                    entries.terms.push(term);
                }
                entries.is_complete = self.take(1) == Some(&[NIL]);
            }
            _ => {}
        }
        entries
    }
}

fn build_scene(lists: [&Entries; 3]) -> Option<Tree> {
    let mut term = Builder::new(etf::WriterProfile::Otp17);
    term.tuple(3);
    term.atom("wings");
    term.integer(2);
    term.tuple(3);
    for entries in lists {
        term.begin_list();
        entries.terms.iter().for_each(|entry| term.copy(entry.root()));
        term.end_list();
    }
    term.finish().ok()
}
