//! Placeholder boxes for models in other files.

/// A box that is shown instead of a model in another file, for a kind of object. Its size is a guess for that kind.
#[derive(Debug)]
pub struct PlaceholderBox {
    /// The kind of object.
    pub name: &'static str,
    /// Size along X, Y and Z in metres, centred at the origin.
    pub size: [f64; 3],
    /// Red, green and blue in linear light.
    pub color: [f64; 3],
    /// Words in the names of models. Words of four letters or more may continue. A word that ends with `_` must begin the file
    /// name.
    words: &'static [&'static str],
}

impl PlaceholderBox {
    /// All kinds in the order in which they are tried, with English words, and Czech words for models of Operation Flashpoint. The last
    /// kind is the fallback.
    pub const ALL: [Self; 8] = [
        Self { name: "forest", size: [50.0, 12.0, 50.0], color: [0.02, 0.08, 0.02], words: &["les", "forest"] },
        Self {
            name: "tree",
            size: [2.0, 10.0, 2.0],
            color: [0.03, 0.14, 0.03],
            words: &["t_", "str", "tree", "trees", "strom", "smrk", "palm", "pine", "birch", "oak"],
        },
        Self {
            name: "bush",
            size: [1.5, 1.5, 1.5],
            color: [0.1, 0.2, 0.04],
            words: &["b_", "p_", "ker", "krovi", "bush", "shrub", "plant", "grass", "clutter", "trava"],
        },
        Self {
            name: "wall",
            size: [4.0, 2.0, 0.4],
            color: [0.3, 0.28, 0.25],
            words: &["wall", "fence", "zed", "plot", "ohrada", "gate", "brana", "barrier", "barricade"],
        },
        Self {
            name: "house",
            size: [10.0, 6.0, 10.0],
            color: [0.35, 0.12, 0.07],
            words: &[
                "house",
                "dum",
                "building",
                "budova",
                "church",
                "kostel",
                "barn",
                "stodola",
                "shed",
                "hangar",
                "hut",
                "tower",
                "school",
                "hotel",
                "shop",
                "garage",
                "castle",
                "residential",
                "industrial",
            ],
        },
        Self {
            name: "rock",
            size: [4.0, 3.0, 4.0],
            color: [0.16, 0.16, 0.17],
            words: &["r_", "rock", "stone", "skala", "kamen", "boulder"],
        },
        Self {
            name: "road",
            size: [8.0, 0.2, 20.0],
            color: [0.05, 0.05, 0.06],
            words: &[
                "asf", "sil", "kos", "ces", "road", "asfalt", "asphalt", "silnice", "cesta", "path", "runway", "mud",
            ],
        },
        Self { name: "object", size: [2.0, 2.0, 2.0], color: [0.4, 0.3, 0.1], words: &[] },
    ];

    /// Returns the index in [`ALL`](Self::ALL) of the most likely kind of a model, by its file name, then by the names of its folders, the
    /// innermost first.
    pub fn index_of_model(reference: &str) -> usize {
        let lower = reference.to_lowercase();
        let mut parts = lower.rsplit(['\\', '/']);
        let file = parts.next().unwrap_or_default();
        let file = file.rsplit_once('.').map_or(file, |(name, _)| name);
        let begins = |word: &str| word.ends_with('_') && file.starts_with(word);
        let of_part = |part: &str| {
            let is = |word: &str, found: &str| found == word || (word.len() >= 4 && found.starts_with(word));
            let words =
                part.split(|c: char| !c.is_alphanumeric()).map(|word| word.trim_end_matches(|c: char| c.is_numeric()));
            let has = |kind: &Self| words.clone().any(|found| kind.words.iter().any(|word| is(word, found)));
            Self::ALL.iter().position(has)
        };
        let by_start = Self::ALL.iter().position(|kind| kind.words.iter().any(|word| begins(word)));
        by_start.or_else(|| std::iter::once(file).chain(parts).find_map(of_part)).unwrap_or(Self::ALL.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_models_determine_their_kind() {
        let named = |reference| PlaceholderBox::ALL[PlaceholderBox::index_of_model(reference)].name;
        for (reference, expected) in [
            (r"data3d\kasna.p3d", "object"),
            (r"data3d\str javor.p3d", "tree"),
            (r"data3d\les ctverec pruchozi_T1.p3d", "forest"),
            (r"data3d\ker buxus.p3d", "bush"),
            (r"data3d\skala01.p3d", "rock"),
            (r"data3d\asf25.p3d", "road"),
            (r"o\wall\wall_stone_4m.p3d", "wall"),
            (r"dz\plants\bush\b_betulahumilis_1s.p3d", "bush"),
            (r"ca\plants2\tree\t_betula2w.p3d", "tree"),
            (r"dz\structures\roads\parts\mud_10 75.p3d", "road"),
            (r"dz\structures\residential\misc\a.p3d", "house"),
            ("models/street_lamp.mdl", "object"),
            ("House", "house"),
            ("", "object"),
            ("\u{130}", "object"),
        ] {
            assert_eq!(named(reference), expected, "{reference}");
        }
    }
}
