//! Rows of tiles as data.

use std::fmt;

use serde::de::{self, IgnoredAny, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::Cell;

/// The rows of a grid.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rows<'a> {
    pub(super) words: &'a [u32],
    pub(super) columns: usize,
}

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.words.chunks(self.columns).map(Row))
    }
}

struct Row<'a>(&'a [u32]);

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let runs = self.0.chunk_by(|one, other| one == other);
        // A run of two is shorter as two cells.
        let cells = runs.flat_map(|run| {
            let (times, count) = if run.len() > 2 { (1, run.len()) } else { (run.len(), 1) };
            run.iter().take(times).map(move |word| CellRun { count, word: *word })
        });
        serializer.collect_seq(cells)
    }
}

/// A number of equal cells.
#[derive(Debug, Clone, Copy)]
pub(super) struct CellRun {
    pub(super) count: usize,
    pub(super) word: u32,
}

impl Serialize for CellRun {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.count {
            1 => SingleCell(self.word).serialize(serializer),
            count => (count, SingleCell(self.word)).serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for CellRun {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CellVisitor { runs: true })
    }
}

/// One cell: an item of a row, or the second item of a run.
struct SingleCell(u32);

impl Serialize for SingleCell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Cell::EMPTY => serializer.serialize_unit(),
            Cell::FILL => serializer.serialize_str("fill"),
            word => serializer.serialize_u32(word),
        }
    }
}

impl<'de> Deserialize<'de> for SingleCell {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CellVisitor { runs: false }).map(|cells| Self(cells.word))
    }
}

/// Reads a cell, or a run where runs are allowed: a run of runs is not.
struct CellVisitor {
    runs: bool,
}

impl<'de> Visitor<'de> for CellVisitor {
    type Value = CellRun;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a cell: the number of a tile, null for an empty cell, or \"fill\"")?;
        if self.runs { f.write_str("; or [count, cell] for a run") } else { Ok(()) }
    }

    fn visit_u64<E: de::Error>(self, word: u64) -> Result<CellRun, E> {
        let word = u32::try_from(word).map_err(|_| E::invalid_value(Unexpected::Unsigned(word), &self))?;
        Ok(CellRun { count: 1, word })
    }

    fn visit_unit<E>(self) -> Result<CellRun, E> {
        Ok(CellRun { count: 1, word: Cell::EMPTY })
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<CellRun, E> {
        match text {
            "fill" => Ok(CellRun { count: 1, word: Cell::FILL }),
            _ => Err(E::invalid_value(Unexpected::Str(text), &self)),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<CellRun, A::Error> {
        if !self.runs {
            return Err(de::Error::invalid_type(Unexpected::Seq, &self));
        }
        let invalid_length = |found| de::Error::invalid_length(found, &self);
        let count: u32 = items.next_element()?.ok_or_else(|| invalid_length(0))?;
        let SingleCell(word) = items.next_element()?.ok_or_else(|| invalid_length(1))?;
        match items.next_element::<IgnoredAny>()? {
            None => Ok(CellRun { count: count as usize, word }),
            Some(_) => Err(invalid_length(3)),
        }
    }
}
