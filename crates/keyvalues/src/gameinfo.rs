//! Search paths of a game: `gameinfo.gi`.

use mapwright_io::Position;

use crate::{ReadError, ReadErrorKind, kv1};

/// Search paths and game data of a `gameinfo.gi`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct GameInfo {
    /// The title of the game.
    pub title: String,
    /// The entries of `FileSystem`, `SearchPaths`, in order.
    pub search_paths: Vec<SearchPath>,
    /// Files with entity classes (`GameData`), such as `hlvr.fgd`.
    pub game_data: Vec<String>,
}

/// An entry of the search paths.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SearchPath {
    /// The kind: `Game`, `Mod`, `Write`, `AddonRoot`, and others.
    pub kind: String,
    /// The folder, relative to the folder `game`.
    pub path: String,
}

impl GameInfo {
    /// Reads a file.
    ///
    /// # Errors
    /// If it is not a KeyValues text, or has no block `GameInfo`.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
        Self::from_document(&kv1::Document::from_bytes(bytes)?)
    }

    /// Reads a document.
    ///
    /// # Errors
    /// If it has no block `GameInfo`.
    pub fn from_document(document: &kv1::Document) -> Result<Self, ReadError> {
        let root = document.get("GameInfo").filter(|root| root.is_block());
        let missing = || ReadError::new(ReadErrorKind::NoBlock { expected: "GameInfo" }, Position::file(0));
        let root = root.ok_or_else(missing)?;
        let entries = root.get("FileSystem").and_then(|system| system.get("SearchPaths"));
        let search_paths = entries.into_iter().flat_map(kv1::Item::items).filter_map(|entry| {
            Some(SearchPath { kind: entry.name_text().into_owned(), path: entry.text()?.into_owned() })
        });
        let text = |item: kv1::Item<'_>| item.text().map(std::borrow::Cow::into_owned);
        Ok(Self {
            title: root.get("title").or_else(|| root.get("game")).and_then(text).unwrap_or_default(),
            search_paths: search_paths.collect(),
            game_data: root.items().filter(|item| item.is("GameData")).filter_map(text).collect(),
        })
    }

    /// Returns the folders of the kind `Game`, in order and without repetitions.
    pub fn games(&self) -> Vec<&str> {
        let mut games: Vec<&str> = Vec::new();
        for entry in self.search_paths.iter().filter(|entry| entry.kind.eq_ignore_ascii_case("Game")) {
            if !games.contains(&&*entry.path) {
                games.push(&entry.path);
            }
        }
        games
    }

    /// Returns the folders with content sources, `content/X` for each game `X`, relative to the folder that contains `game` and `content`.
    pub fn content_roots(&self) -> Vec<String> {
        self.games().into_iter().map(|game| format!("content/{game}")).collect()
    }

    /// Returns the folders with compiled content, `game/X` for each game `X`.
    pub fn game_roots(&self) -> Vec<String> {
        self.games().into_iter().map(|game| format!("game/{game}")).collect()
    }
}
