//! Bytes → [`Document`] → [`Model`].

#![deny(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

mod edge;
mod legacy;
mod mesh;

pub(crate) use edge::{EdgeScan, Source, vertex_slot};

use std::cell::Cell;
use std::io::Read;
use std::sync::Arc;

use mapwright_etf as etf;
use mapwright_etf::Term;
use mapwright_io::{Category, Context, Error, FaultKind, Frame, Input, Position, read_all};

use crate::document::{MAGIC, item_tree, value_tree};
use crate::{
    Document, Material, MaterialEntry, Model, Name, Object, Opaque, PropList, ReadError, ReadErrorKind, ReadOptions,
    Shape,
};

impl Document {
    /// Reads a file.
    ///
    /// # Errors
    /// Whatever is wrong with the header, the compression or the term, with its offset. What the term means is not asked
    /// here: see [`model`](Self::model).
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::from_bytes_with(bytes, &ReadOptions::default())
    }

    /// Reads a file with options.
    ///
    /// # Errors
    /// As [`from_bytes`](Self::from_bytes), or a limit.
    pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
        let mut input = Input::new(bytes);
        let known = bytes.iter().zip(MAGIC).take_while(|(a, b)| a == b).count();
        if known < MAGIC.len().min(bytes.len()) {
            return Err(Error::new(ReadErrorKind::Magic, Position::file(known as u64)));
        }
        input.take(MAGIC.len()).in_field("header")?;
        let at = input.position();
        let declared = input.u32_be().in_field("header")?;
        let found = input.remaining() as u64;
        if u64::from(declared) != found {
            return Err(Error::new(ReadErrorKind::Length { declared, found }, at).wrap(Frame::Field("header")));
        }
        let options = etf::ReadOptions::default().with_limits(options.limits.clone()).with_mode(options.mode);
        let payload = etf::Document::from_input(&mut input, &options);
        Ok(Self { payload: payload.map_err(|error| error.map_kind(lift)).in_field("payload")? })
    }

    /// Reads a file to its end.
    ///
    /// # Errors
    /// The reader's own error, or as [`from_bytes`](Self::from_bytes).
    pub fn from_reader(reader: impl Read) -> Result<Self, ReadError> {
        Self::from_reader_with(reader, &ReadOptions::default())
    }

    /// Reads a file to its end with options.
    ///
    /// # Errors
    /// The reader's own error, or as [`from_bytes_with`](Self::from_bytes_with).
    pub fn from_reader_with(reader: impl Read, options: &ReadOptions) -> Result<Self, ReadError> {
        Self::from_bytes_with(&read_all(reader, options.limits.max_input)?, options)
    }

    /// What the document says. Parts that are not understood stand in the model as they are, with the reason.
    ///
    /// Versions 0 and 1 are brought up to version 2: winged edges are built from their polygons, and their materials get
    /// an `opengl` list.
    ///
    /// # Errors
    /// When the term as a whole is not that of a scene, with its place.
    pub fn model(&self) -> Result<Model, ReadError> {
        self.model_and_repairs().map(|(model, _)| model)
    }

    /// The model, and what building winged edges had to put right in a file of version 0 or 1.
    pub(crate) fn model_and_repairs(&self) -> Result<(Model, legacy::Repairs), ReadError> {
        ModelReader::new(self).model(self.payload.tree().root())
    }
}

/// Errors of the payload that have a name of their own here keep it.
fn lift(kind: etf::ReadErrorKind) -> ReadErrorKind {
    match kind {
        etf::ReadErrorKind::Input(fault) => fault.into(),
        kind => kind.into(),
    }
}

/// Reads parts of one document.
pub(crate) struct ModelReader<'d> {
    document: &'d Document,
    /// Bytes of memory that the model may still take.
    memory: Cell<u64>,
}

/// What a model may take beside a multiple of its term. An honest one takes less than a third of that: only lists of a
/// million empty entries come near.
const FREE_MEMORY: u64 = 16 << 20;
const MEMORY_PER_BYTE: u64 = 6;

fn memory_for(document: &Document) -> u64 {
    let term = document.payload().tree().as_bytes().len() as u64;
    term.saturating_mul(MEMORY_PER_BYTE).saturating_add(FREE_MEMORY)
}

/// About what a small tree takes beside its own fields, and about what a reason takes.
pub(crate) const TREE: usize = 48;
pub(crate) const REASON: usize = 256;

/// The three lists of a scene.
pub(crate) struct Parts<'t> {
    pub(crate) version: u8,
    pub(crate) shapes: Term<'t>,
    pub(crate) materials: Option<Term<'t>>,
    pub(crate) props: Option<Term<'t>>,
}

impl<'d> ModelReader<'d> {
    pub(crate) fn new(document: &'d Document) -> Self {
        Self { document, memory: Cell::new(memory_for(document)) }
    }

    /// Takes the memory of one entry of a list off the budget; a list that grows takes twice its entries.
    pub(crate) fn spend<T>(&self, list: Term<'d>, beside: usize) -> Result<(), ReadError> {
        if self.take::<T>(beside) {
            return Ok(());
        }
        let limit = memory_for(self.document);
        let kind = FaultKind::Limit { what: "the memory of the model", asked: limit.saturating_add(1), limit };
        Err(self.error(list, kind.into()))
    }

    /// Takes memory off the budget; where there is too little, nothing is left.
    pub(crate) fn take<T>(&self, beside: usize) -> bool {
        let bytes = size_of::<T>().saturating_mul(2).saturating_add(beside);
        let left = self.memory.get().checked_sub(bytes as u64);
        self.memory.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Finds the lists.
    pub(crate) fn parts(&self, root: Term<'d>) -> Result<Parts<'d>, ReadError> {
        let mut elements = root.as_tuple().ok_or_else(|| self.not_wings(root, "no tuple"))?;
        let arity = elements.len();
        if !elements.next().is_some_and(|first| first.is_atom("wings")) {
            return Err(self.not_wings(root, "a tuple that does not begin with wings"));
        }
        let number = elements.next();
        let version = number.and_then(Term::as_i64).ok_or_else(|| self.not_wings(root, "no version"))?;
        match (version, arity) {
            (2, 3) => {
                let triple = elements.next().unwrap_or(root);
                let [shapes, materials, props] = triple
                    .as_tuple_of()
                    .ok_or_else(|| self.not_wings(triple, "no triple of shapes, materials and properties"))?;
                Ok(Parts { version: 2, shapes, materials: Some(materials), props: Some(props) })
            }
            (1, 5) => {
                let [_, _, shapes, materials, props] =
                    root.as_tuple_of().ok_or_else(|| self.not_wings(root, "no five elements"))?;
                Ok(Parts { version: 1, shapes, materials: Some(materials), props: Some(props) })
            }
            (0, 3) => Ok(Parts { version: 0, shapes: elements.next().unwrap_or(root), materials: None, props: None }),
            (0..=2, _) => Err(self.not_wings(root, "a tuple of the wrong size")),
            (version, _) => Err(self.error(number.unwrap_or(root), ReadErrorKind::Version(version))),
        }
    }

    fn model(&self, root: Term<'d>) -> Result<(Model, legacy::Repairs), ReadError> {
        let parts = self.parts(root)?;
        if parts.version < 2 {
            return self.legacy(&parts);
        }
        let mut model = Model { version: parts.version, ..Model::default() };
        let shapes =
            parts.shapes.as_list().ok_or_else(|| self.part(parts.shapes, "not-a-list", "shapes are no list"))?;
        let mut items = shapes.items();
        for (index, item) in items.by_ref().enumerate() {
            self.spend::<Shape>(parts.shapes, REASON)?;
            let shape =
                match item.term().ok_or_else(|| self.part(parts.shapes, "object-shape", "a number is no object")) {
                    Ok(term) => self.object(term).map_err(|error| (error, value_tree(term))),
                    Err(error) => Err((error, item_tree(item))),
                };
            model.shapes.push(match shape {
                Ok(object) => Shape::Object(object),
                Err((error, _)) if error.category() == Category::Limit => {
                    return Err(error.wrap(Frame::Index(index)).wrap(Frame::Field("shapes")));
                }
                Err((error, term)) => Shape::Other(opaque(term, error, "shapes", index)),
            });
        }
        if items.tail().is_some() {
            return Err(self
                .part(parts.shapes, "not-a-list", "the list of shapes is improper")
                .wrap(Frame::Field("shapes")));
        }
        if let Some(term) = parts.materials {
            let list = self.prop_list(term, "the materials are no proper list").in_field("materials")?;
            model.materials =
                list.items.into_iter().enumerate().map(|(index, item)| self.material(item, index, term)).collect();
        }
        if let Some(term) = parts.props {
            model.props = self.prop_list(term, "the scene properties are no proper list").in_field("props")?;
        }
        Ok((model, Vec::new()))
    }

    /// Name, mesh and properties of an object.
    pub(crate) fn object_parts(&self, term: Term<'d>) -> Result<[Term<'d>; 3], ReadError> {
        let [_, parts @ ..] =
            term.as_tuple_of().filter(|[tag, ..]: &[_; 4]| tag.is_atom("object")).ok_or_else(|| {
                self.part(term, "object-shape", "an object is a tuple {object,Name,{winged,…},Properties}")
            })?;
        Ok(parts)
    }

    fn object(&self, term: Term<'d>) -> Result<Object, ReadError> {
        let [name, mesh, props] = self.object_parts(term)?;
        Ok(Object {
            name: Name::from_string(name),
            mesh: self.mesh(mesh).in_field("mesh")?,
            props: self.prop_list(props, "the object's properties are no proper list").in_field("props")?,
        })
    }

    fn material(&self, item: etf::Tree, index: usize, list: Term<'d>) -> MaterialEntry {
        let material = item.root().as_tuple_of().and_then(|[name, props]| {
            Some(Material { name: Name::from_atom(name), props: PropList::read(props.as_list()?)? })
        });
        material.map_or_else(
            || {
                let reason = self.part(list, "material-shape", "a material is a pair {Name,Properties}");
                MaterialEntry::Other(opaque(item, reason, "materials", index))
            },
            MaterialEntry::Material,
        )
    }

    pub(crate) fn prop_list(&self, term: Term<'d>, expected: &'static str) -> Result<PropList, ReadError> {
        let list = term.as_list().ok_or_else(|| self.part(term, "not-a-list", expected))?;
        for item in list.items() {
            let size = item.term().map_or(0, |term| term.range().len());
            self.spend::<etf::Tree>(term, size.saturating_add(TREE))?;
        }
        PropList::read(list).ok_or_else(|| self.part(term, "not-a-list", expected))
    }

    pub(crate) fn part(&self, term: Term<'_>, code: &'static str, expected: &'static str) -> ReadError {
        self.error(term, ReadErrorKind::Part { code, expected })
    }

    fn not_wings(&self, term: Term<'_>, found: &'static str) -> ReadError {
        self.error(term, ReadErrorKind::NotWings { found })
    }

    fn error(&self, term: Term<'_>, kind: ReadErrorKind) -> ReadError {
        Error::new(kind, self.document.position(term))
    }
}

fn opaque(term: etf::Tree, reason: ReadError, list: &'static str, index: usize) -> Opaque {
    Opaque { term, reason: Arc::new(reason.wrap(Frame::Index(index)).wrap(Frame::Field(list))) }
}
