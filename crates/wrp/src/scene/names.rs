//! Names that fit the fields of files.

use hashbrown::HashSet;
use mapwright_io::escape;
use mapwright_scene::Losses;

/// Shortens names that are too long for a field, so that no two become one.
pub(super) struct Names {
    width: usize,
    path: &'static str,
    /// In lower case, as the games take them.
    taken: HashSet<Vec<u8>>,
}

impl Names {
    /// For fields of that width. Names that fit keep what they are, whichever comes first.
    pub(super) fn new<'a>(width: usize, path: &'static str, all: impl Iterator<Item = &'a [u8]>) -> Self {
        let fits = |name: &&[u8]| name.len() <= width;
        Self { width, path, taken: all.filter(fits).map(<[u8]>::to_ascii_lowercase).collect() }
    }

    /// The name itself, or what stands for it: its file without the folder, if need be with less of it and a number.
    pub(super) fn fit(&mut self, name: &[u8], losses: &mut Losses) -> Vec<u8> {
        let text = name.split(|&byte| byte == 0).next().unwrap_or_default();
        let fitted = if text.len() <= self.width { text.to_vec() } else { self.shorten(text) };
        if fitted != name {
            let (whole, fitted, width) = (escape(name), escape(&fitted), self.width);
            losses.approximated(self.path, format!("\"{whole}\", as \"{fitted}\": names have {width} bytes"));
        }
        fitted
    }

    fn shorten(&mut self, text: &[u8]) -> Vec<u8> {
        let file = text.rsplit(|&byte| byte == b'\\').next().unwrap_or(text);
        let dot = file.iter().rposition(|&byte| byte == b'.').filter(|dot| file.len().saturating_sub(*dot) <= 8);
        let (stem, ending) = file.split_at_checked(dot.unwrap_or(file.len())).unwrap_or((file, &[]));
        let numbered = (1_usize..).map(|number| {
            let mark = if number == 1 { String::new() } else { format!("~{number}") };
            let room = self.width.saturating_sub(ending.len()).saturating_sub(mark.len()).min(stem.len());
            [stem.get(..room).unwrap_or(stem), mark.as_bytes(), ending].concat()
        });
        let free = |name: &Vec<u8>| !self.taken.contains(&name.to_ascii_lowercase());
        let name = numbered.into_iter().find(free).unwrap_or_default();
        self.taken.insert(name.to_ascii_lowercase());
        name
    }
}
