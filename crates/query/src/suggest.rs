//! "Did you mean": the nearest known word.

/// Returns the word that is most like the one that was found, if one is near enough for a typing error.
pub fn suggestion<'a>(found: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let found = found.to_lowercase();
    let distance = |word: &str| strsim::damerau_levenshtein(&found, &word.to_lowercase());
    let (distance, word) =
        known.into_iter().map(|word| (distance(word), word)).min_by_key(|(distance, _)| *distance)?;
    // A third of the letters, and not all of them, so that short words are not taken for any other.
    let letters = found.chars().count();
    let most = letters.max(word.chars().count()).div_ceil(3);
    (distance <= most && distance < letters).then(|| word.to_owned())
}
