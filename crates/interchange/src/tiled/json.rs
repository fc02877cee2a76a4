//! TMJ: a map as JSON.

use serde::de::DeserializeOwned;

use super::model::Map;
use crate::{Error, ErrorKind, error::json_error};

/// Writes a map as TMJ.
pub(super) fn write(map: &Map) -> Vec<u8> {
    // Only a map with keys that are not text could fail.
    serde_json::to_vec(map).unwrap_or_default()
}

/// Reads a TMJ file, or a tile set file.
pub(super) fn read<T: DeserializeOwned>(json: &[u8], max_objects: u64) -> Result<T, Error> {
    if json.iter().filter(|&&c| c == b'{').count() as u64 > max_objects {
        return Err(Error::without_position(ErrorKind::Limit { what: "objects", limit: max_objects }));
    }
    serde_json::from_slice(json).map_err(|error| json_error(json, &error, ""))
}
