//! Names of files as programs on Windows compare them.

/// Normalizes a path, so that paths of files can be compared: lower case, with `/` between its names.
pub fn path_key(path: &str) -> String {
    path.replace('\\', "/").to_ascii_lowercase()
}

/// Returns the extension of a path in lower case, or an empty string.
pub(crate) fn extension(path: &str) -> String {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').map(|(_, extension)| extension.to_ascii_lowercase()).unwrap_or_default()
}
