//! Names that fit fixed-width fields.

use hashbrown::HashSet;
use mapwright_io::escape_bytes;
use mapwright_scene::Losses;

/// Shortens names that are too long for a field and keeps them distinct.
pub(super) struct NameFitter {
    width: usize,
    path: &'static str,
    /// Names in use, in lower case: the games ignore case.
    taken: HashSet<Vec<u8>>,
}

impl NameFitter {
    /// Creates a fitter for fields of `width` bytes. Reserves the names that fit, whatever their order.
    pub(super) fn new<'a>(width: usize, path: &'static str, names: impl Iterator<Item = &'a [u8]>) -> Self {
        let fits = |name: &&[u8]| name.len() <= width;
        Self { width, path, taken: names.filter(fits).map(<[u8]>::to_ascii_lowercase).collect() }
    }

    /// Returns the name if it fits. Otherwise returns its file name without the folder, truncated and numbered if necessary.
    pub(super) fn fit(&mut self, name: &[u8], losses: &mut Losses) -> Vec<u8> {
        let text = name.split(|&byte| byte == 0).next().unwrap_or_default();
        let fitted = if text.len() <= self.width { text.to_vec() } else { self.shorten(text) };
        if fitted != name {
            let (whole, fitted, width) = (escape_bytes(name), escape_bytes(&fitted), self.width);
            losses.approximated(self.path, format!("\"{whole}\" shortened to \"{fitted}\": names have {width} bytes"));
        }
        fitted
    }

    fn shorten(&mut self, text: &[u8]) -> Vec<u8> {
        let file = text.rsplit(|&byte| byte == b'\\').next().unwrap_or(text);
        let dot = file.iter().rposition(|&byte| byte == b'.').filter(|dot| file.len().saturating_sub(*dot) <= 8);
        let (stem, extension) = file.split_at_checked(dot.unwrap_or(file.len())).unwrap_or((file, &[]));
        let numbered = (1_usize..).map(|number| {
            let suffix = if number == 1 { String::new() } else { format!("~{number}") };
            let room = self.width.saturating_sub(extension.len()).saturating_sub(suffix.len()).min(stem.len());
            [stem.get(..room).unwrap_or(stem), suffix.as_bytes(), extension].concat()
        });
        let is_free = |name: &Vec<u8>| !self.taken.contains(&name.to_ascii_lowercase());
        let name = numbered.into_iter().find(is_free).unwrap_or_default();
        self.taken.insert(name.to_ascii_lowercase());
        name
    }
}
