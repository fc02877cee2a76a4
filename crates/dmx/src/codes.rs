//! Differences between the versions of binary DMX.

use crate::ValueType;

/// The storage of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Storage {
    /// The string itself, which ends with a NUL.
    Inline,
    /// An index of the string table.
    Table,
}

/// Size in bytes of counts and indices of the string table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    Two,
    Four,
}

/// The layout of a version.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wire {
    pub(crate) version: u8,
    /// `true` if blocks of prefix attributes precede the string table.
    pub(crate) prefix: bool,
    /// Sizes of the count of the string table and of its indices.
    pub(crate) table: Option<(Width, Width)>,
    /// `true` if element headers have a link.
    pub(crate) link: bool,
    /// Storage of classes and of names of attributes.
    pub(crate) names: Storage,
    /// Storage of names of elements and of single string values.
    pub(crate) values: Storage,
    /// `true` if the empty string is in the table like any other.
    pub(crate) empty_in_table: bool,
}

impl Wire {
    /// Returns the layout of a version; `None` if there is no such version.
    pub(crate) fn from_version(version: u8) -> Option<Self> {
        let table = match version {
            0 | 1 => None,
            2 | 3 => Some((Width::Two, Width::Two)),
            4 => Some((Width::Four, Width::Two)),
            5..=9 => Some((Width::Four, Width::Four)),
            _ => return None,
        };
        let place = |from| if version >= from { Storage::Table } else { Storage::Inline };
        Some(Self {
            version,
            prefix: version >= 7,
            table,
            link: matches!(version, 6 | 7),
            names: place(2),
            values: place(4),
            empty_in_table: !matches!(version, 6 | 7),
        })
    }

    /// Returns the type with a number, and `true` for an array.
    pub(crate) fn value_type(self, id: u8) -> Option<(ValueType, bool)> {
        let (scalar, array) = match id.checked_sub(self.array_offset()) {
            Some(scalar) if scalar > 0 => (scalar, true),
            _ => (id, false),
        };
        let found = SCALARS.iter().find(|(number, value_type)| *number == scalar && self.has(*value_type))?;
        Some((found.1, array))
    }

    /// Returns the number of a type; `None` if the version does not have it.
    pub(crate) fn type_id(self, value_type: ValueType, array: bool) -> Option<u8> {
        let (scalar, _) = SCALARS.iter().find(|(_, known)| *known == value_type)?;
        let offset = if array { self.array_offset() } else { 0 };
        self.has(value_type).then_some(scalar.saturating_add(offset))
    }

    /// Returns `true` if the version has values of a type.
    pub(crate) fn has(self, value_type: ValueType) -> bool {
        match value_type {
            ValueType::ObjectId => self.version <= 2,
            ValueType::Time => self.version >= 3,
            ValueType::UInt64 | ValueType::UInt8 => self.version >= 9,
            _ => true,
        }
    }

    fn array_offset(self) -> u8 {
        if self.version >= 9 { 32 } else { 14 }
    }
}

const SCALARS: [(u8, ValueType); 17] = [
    (1, ValueType::Element),
    (2, ValueType::Int),
    (3, ValueType::Float),
    (4, ValueType::Bool),
    (5, ValueType::String),
    (6, ValueType::Binary),
    (7, ValueType::ObjectId),
    (7, ValueType::Time),
    (8, ValueType::Color),
    (9, ValueType::Vector2),
    (10, ValueType::Vector3),
    (11, ValueType::Vector4),
    (12, ValueType::QAngle),
    (13, ValueType::Quaternion),
    (14, ValueType::Matrix),
    (15, ValueType::UInt64),
    (16, ValueType::UInt8),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_have_numbers_per_version() {
        for (version, id, expected) in [
            (2, 7, Some((ValueType::ObjectId, false))),
            (3, 7, Some((ValueType::Time, false))),
            (5, 15, Some((ValueType::Element, true))),
            (5, 28, Some((ValueType::Matrix, true))),
            (5, 29, None),
            (9, 15, Some((ValueType::UInt64, false))),
            (9, 17, None),
            (9, 32, None),
            (9, 33, Some((ValueType::Element, true))),
            (9, 48, Some((ValueType::UInt8, true))),
            (9, 49, None),
            (9, 0, None),
            (5, 14, Some((ValueType::Matrix, false))),
        ] {
            let wire = Wire::from_version(version).unwrap();
            assert_eq!(wire.value_type(id), expected, "binary {version}, type {id}");
            if let Some((value_type, array)) = expected {
                assert_eq!(wire.type_id(value_type, array), Some(id));
            }
        }
        assert!(Wire::from_version(10).is_none());
    }

    /// Source: "Type ids", tables A, B and C.
    #[test]
    fn types_have_the_published_numbers() {
        use ValueType as T;
        let table = |seven, more: &[ValueType]| {
            let first = [T::Element, T::Int, T::Float, T::Bool, T::String, T::Binary, seven, T::Color];
            let rest = [T::Vector2, T::Vector3, T::Vector4, T::QAngle, T::Quaternion, T::Matrix];
            first.into_iter().chain(rest).chain(more.iter().copied()).collect::<Vec<_>>()
        };
        let a = table(T::ObjectId, &[]);
        let b = table(T::Time, &[]);
        let c = table(T::Time, &[T::UInt64, T::UInt8]);
        for (versions, types, offset) in [(0..=2, a, 14), (3..=8, b, 14), (9..=9, c, 32)] {
            for version in versions {
                let wire = Wire::from_version(version).unwrap();
                let scalars = (1..).zip(&types).map(|(id, value_type)| (id, (*value_type, false)));
                let arrays = (1..).zip(&types).map(|(id, value_type)| (id + offset, (*value_type, true)));
                let published = scalars.chain(arrays).collect::<Vec<(u8, _)>>();
                let known = (0..=u8::MAX).filter_map(|id| Some((id, wire.value_type(id)?)));
                assert_eq!(known.collect::<Vec<_>>(), published, "binary {version}");
                for (id, (value_type, array)) in published {
                    assert_eq!(wire.type_id(value_type, array), Some(id), "binary {version}");
                }
            }
        }
    }

    /// Source: "Binary encodings", table of versions. The table has `?` for version 8 in some columns.
    #[test]
    fn versions_have_the_published_layout() {
        use Storage::{Inline, Table};
        use Width::{Four, Two};
        let published = [
            (0, false, None, false, Inline, Inline, true),
            (1, false, None, false, Inline, Inline, true),
            (2, false, Some((Two, Two)), false, Table, Inline, true),
            (3, false, Some((Two, Two)), false, Table, Inline, true),
            (4, false, Some((Four, Two)), false, Table, Table, true),
            (5, false, Some((Four, Four)), false, Table, Table, true),
            (6, false, Some((Four, Four)), true, Table, Table, false),
            (7, true, Some((Four, Four)), true, Table, Table, false),
            (8, true, Some((Four, Four)), false, Table, Table, true),
            (9, true, Some((Four, Four)), false, Table, Table, true),
        ];
        for (version, prefix, table, link, names, values, empty_in_table) in published {
            let wire = Wire::from_version(version).unwrap();
            assert_eq!((wire.prefix, wire.table, wire.link), (prefix, table, link), "binary {version}");
            assert_eq!((wire.names, wire.values), (names, values), "binary {version}");
            assert_eq!(wire.empty_in_table, empty_in_table, "binary {version}");
        }
    }
}
