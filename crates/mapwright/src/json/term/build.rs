//! Erlang terms from JSON.

use std::fmt;
use std::io::{self, Write};

use mapwright_etf::{Builder, Compressor, Document, Mode, Packing, Term, Tree, Value, WriterProfile};
use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

use super::write_term_json;
use crate::json::{Encoding, hex, refused, unhex};
use crate::{Error, ReadOptions};

/// A term in JSON.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum TermJson {
    Integer(i64),
    Unsigned(u64),
    /// The bits of the float.
    Float(u64),
    /// A number with more than 64 bits, which may be an integer or a float.
    Large(u64),
    Atom(String),
    Text(String),
    Tuple(Vec<TermJson>),
    List(Vec<TermJson>, Option<Box<TermJson>>),
    Map(Vec<(TermJson, TermJson)>),
    Binary(Vec<u8>),
    Bits(Vec<u8>, u8),
    Etf(Vec<u8>),
}

/// From this value on, a number in JSON may be a float or an integer.
const LARGE: f64 = 9_223_372_036_854_775_808.0;

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    tuple: Option<Vec<TermJson>>,
    text: Option<String>,
    list: Option<Vec<TermJson>>,
    tail: Option<Box<TermJson>>,
    map: Option<Vec<(TermJson, TermJson)>>,
    binary: Option<String>,
    bits: Option<String>,
    last: Option<u8>,
    float: Option<String>,
    etf: Option<String>,
    /// Text for people, which is ignored.
    #[serde(rename = "term")]
    spoken: Option<String>,
}

impl Fields {
    /// Returns the term, if all fields belong to it.
    fn term(self) -> Option<TermJson> {
        let Self { tuple, text, list, tail, map, binary, bits, last, float, etf, spoken } = self;
        let sorts = [tuple.is_some(), text.is_some(), list.is_some(), map.is_some(), binary.is_some()];
        let sorts = sorts.into_iter().chain([bits.is_some(), float.is_some(), etf.is_some()]);
        let is_of_another = (tail.is_some() && list.is_none())
            || (last.is_some() && bits.is_none())
            || (spoken.is_some() && etf.is_none());
        if is_of_another || sorts.filter(|is_there| *is_there).count() != 1 {
            return None;
        }
        let all = [
            tuple.map(TermJson::Tuple),
            text.map(TermJson::Text),
            list.map(|items| TermJson::List(items, tail)),
            map.map(TermJson::Map),
            binary.and_then(|digits| unhex(&digits)).map(TermJson::Binary),
            bits.and_then(|digits| unhex(&digits)).zip(last).map(|(bytes, last)| TermJson::Bits(bytes, last)),
            float.and_then(|text| match &*text {
                "inf" => Some(TermJson::Float(f64::INFINITY.to_bits())),
                "-inf" => Some(TermJson::Float(f64::NEG_INFINITY.to_bits())),
                "nan" => Some(TermJson::Float(f64::NAN.to_bits())),
                _ => None,
            }),
            etf.and_then(|digits| unhex(&digits)).map(TermJson::Etf),
        ];
        all.into_iter().flatten().next()
    }
}

impl<'de> Deserialize<'de> for TermJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(TermVisitor)
    }
}

struct TermVisitor;

impl<'de> Visitor<'de> for TermVisitor {
    type Value = TermJson;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a term as `dump` writes it")
    }

    fn visit_i64<E>(self, value: i64) -> Result<TermJson, E> {
        Ok(TermJson::Integer(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<TermJson, E> {
        Ok(i64::try_from(value).map_or(TermJson::Unsigned(value), TermJson::Integer))
    }

    fn visit_f64<E>(self, value: f64) -> Result<TermJson, E> {
        Ok(if value.abs() >= LARGE { TermJson::Large(value.to_bits()) } else { TermJson::Float(value.to_bits()) })
    }

    fn visit_str<E>(self, value: &str) -> Result<TermJson, E> {
        Ok(TermJson::Atom(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<TermJson, A::Error> {
        Ok(TermJson::List(Vec::deserialize(SeqAccessDeserializer::new(items))?, None))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<TermJson, A::Error> {
        let fields = Fields::deserialize(MapAccessDeserializer::new(map))?;
        fields.term().ok_or_else(|| A::Error::custom("not a term: these fields do not belong together"))
    }
}

impl TermJson {
    /// Adds the term. The depth of JSON is limited, so recursion is safe.
    fn write_to(&self, term: &mut Builder) -> Result<(), &'static str> {
        match self {
            Self::Integer(value) => term.integer(*value),
            Self::Unsigned(value) => term.big(false, &value.to_le_bytes()),
            Self::Float(bits) => term.float(f64::from_bits(*bits)),
            Self::Large(_) => return Err("a number of more than 64 bits cannot be built"),
            Self::Atom(name) => term.atom(name),
            Self::Text(text) => term.text(text),
            Self::Tuple(items) => {
                term.tuple(items.len());
                items.iter().try_for_each(|item| item.write_to(term))?;
            }
            Self::List(items, tail) => {
                term.begin_list();
                items.iter().try_for_each(|item| item.write_to(term))?;
                match tail {
                    Some(tail) => {
                        tail.write_to(term)?;
                        term.end_improper_list();
                    }
                    None => term.end_list(),
                }
            }
            Self::Map(pairs) => {
                term.map(pairs.len());
                for (key, value) in pairs {
                    key.write_to(term)?;
                    value.write_to(term)?;
                }
            }
            Self::Binary(bytes) => term.binary(bytes),
            Self::Bits(bytes, last) => term.bits(bytes, *last),
            Self::Etf(bytes) => {
                term.copy(Tree::from_bytes(bytes).map_err(|_| "the bytes of `etf` are not a term")?.root());
            }
        }
        Ok(())
    }
}

/// The packings that a dump names.
const PLAIN: &str = "plain";
const FAST: &str = "fast";

/// Writes the encoding of a term as a further field of a JSON object, unless it is the usual one: that of OTP 17, compressed as Erlang does.
pub(crate) fn write_encoding(out: &mut dyn Write, document: &Document) -> io::Result<()> {
    let root = document.tree().root();
    let (profile, exact) =
        WriterProfile::detect(root).map_or((WriterProfile::for_term(root), false), |profile| (profile, true));
    let written = document.to_bytes();
    let packings = match document.packing() {
        Packing::Plain => vec![Packing::Plain],
        // Both write a term that is shorter without compression in the same way.
        Packing::Compressed { .. } => [Compressor::Erlang, Compressor::Fast].map(Packing::compressed).to_vec(),
    };
    let is_exact = exact && document.trailing().is_empty() && root.descendants().all(is_exact_in_json);
    let mut renewed = Document::new(document.tree().clone());
    let found = packings.iter().find(|packing| {
        renewed.set_packing((*packing).clone());
        is_exact && matches!((renewed.to_bytes(), &written), (Ok(renewed), Ok(written)) if renewed == *written)
    });
    let source = if found.is_some() { None } else { written.ok() };
    let profile = Some(profile.name()).filter(|name| *name != WriterProfile::Otp17.name());
    let packing = match found.unwrap_or(document.packing()) {
        Packing::Plain => Some(PLAIN),
        Packing::Compressed { compressor: Compressor::Fast, .. } => Some(FAST),
        Packing::Compressed { compressor: Compressor::Erlang, .. } => None,
    };
    if profile.is_none() && packing.is_none() && source.is_none() {
        return Ok(());
    }
    let mut separator = ",\"encoding\":{";
    if let Some(profile) = profile {
        write!(out, "{separator}\"profile\":\"{profile}\"")?;
        separator = ",";
    }
    if let Some(packing) = packing {
        write!(out, "{separator}\"packing\":\"{packing}\"")?;
        separator = ",";
    }
    if let Some(source) = source {
        write!(out, "{separator}\"source\":{{\"bytes\":\"")?;
        hex(out, &source)?;
        out.write_all(b"\"}")?;
    }
    out.write_all(b"}")
}

/// Returns `true` if JSON represents a term exactly, apart from the terms in it.
fn is_exact_in_json(term: Term<'_>) -> bool {
    match term.value() {
        Value::Integer(integer) => integer.to_i64().is_some() || (!integer.negative && integer.magnitude().len() <= 8),
        Value::Float(value) => value.is_finite() && value.abs() < LARGE,
        Value::Atom(atom) => !atom.name().contains(char::REPLACEMENT_CHARACTER),
        _ => true,
    }
}

/// Creates a document from a term and its encoding.
pub(crate) fn document(json: &TermJson, encoding: Encoding, options: &ReadOptions) -> Result<Document, Error> {
    let source = match encoding.source {
        Some(bytes) => {
            let bytes = bytes.get().ok_or_else(|| refused("encoding.source: no bytes".to_owned()))?;
            Some(Document::from_bytes_with(&bytes, &options.etf().with_mode(Mode::Lenient))?)
        }
        None => None,
    };
    if let Some(source) = &source {
        let mut written = Vec::new();
        // Writing to a vector does not fail.
        let _ = write_term_json(&mut written, source.tree().root());
        if serde_json::from_slice::<TermJson>(&written).is_ok_and(|written| written == *json) {
            return Ok(source.clone());
        }
    }
    let name = encoding.profile.as_deref().unwrap_or(WriterProfile::Otp17.name());
    let profile = WriterProfile::ALL.into_iter().find(|profile| profile.name() == name);
    let profile = profile.ok_or_else(|| refused(format!("encoding.profile: unknown profile {name:?}")))?;
    let mut term = Builder::new(profile);
    json.write_to(&mut term).map_err(|message| refused(format!("term: {message}")))?;
    let tree = term.finish().map_err(|error| refused(format!("term: {error}")))?;
    let mut document = match source {
        Some(mut source) => {
            source.set_tree(tree);
            source
        }
        None => Document::new(tree),
    };
    match encoding.packing.as_deref() {
        Some(PLAIN) => document.set_packing(Packing::Plain),
        Some(FAST) => document.set_packing(Packing::compressed(Compressor::Fast)),
        Some(other) => {
            return Err(refused(format!("encoding.packing: expected \"{PLAIN}\" or \"{FAST}\", found {other:?}")));
        }
        None => {}
    }
    Ok(document)
}
