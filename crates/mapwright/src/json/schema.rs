//! What dumps look like, as JSON Schema.

use crate::Format;

impl Format {
    /// The JSON Schema (2020-12) of dumps of this format, which [`write_dump`](crate::AnyDocument::write_dump) writes and
    /// [`from_dump`](crate::AnyDocument::from_dump) takes; `None` for formats without a dump.
    ///
    /// It stands alone, says of every field what it is, and accepts what `from_dump` accepts, with three exceptions. That a number is
    /// written without a point, where a whole one is wanted, cannot be said in it. What fields say of each other is only checked by
    /// `from_dump`: that a row has as many cells as the plane is wide. And objects are not also taken as arrays of their values.
    pub const fn dump_schema(self) -> Option<&'static str> {
        Some(match self {
            #[cfg(feature = "wings")]
            Self::Wings => include_str!("../../schemas/wings.schema.json"),
            #[cfg(feature = "vmap")]
            Self::Vmap => include_str!("../../schemas/vmap.schema.json"),
            #[cfg(feature = "dmx")]
            Self::Dmx => include_str!("../../schemas/dmx.schema.json"),
            #[cfg(feature = "wwd")]
            Self::Wwd => include_str!("../../schemas/wwd.schema.json"),
            #[cfg(feature = "wmp")]
            Self::Wmp => include_str!("../../schemas/wmp.schema.json"),
            #[cfg(feature = "wrp")]
            Self::Wrp => include_str!("../../schemas/wrp.schema.json"),
            Self::Etf => include_str!("../../schemas/etf.schema.json"),
            #[allow(unreachable_patterns, reason = "a build may have no format that is only converted")]
            _ => return None,
        })
    }
}
