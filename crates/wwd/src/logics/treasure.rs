//! Treasure and loot of Claw.

use std::fmt;

/// An item that enemies and crates of Claw drop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loot {
    /// The number in `powerup`, `rect_user1` and `rect_user2`.
    pub id: i32,
    /// The name.
    pub name: &'static str,
    /// The treasure, if the item is one.
    pub treasure: Option<Treasure>,
}

/// A kind of treasure of Claw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Treasure {
    /// A coin.
    Coin,
    /// A bar of gold.
    Goldbar,
    /// A ring.
    Ring,
    /// A necklace.
    Necklace,
    /// A chalice.
    Chalice,
    /// A cross.
    Cross,
    /// A scepter.
    Scepter,
    /// A gecko.
    Gecko,
    /// A crown.
    Crown,
    /// A jeweled skull.
    Skull,
}

impl Treasure {
    /// All kinds in the order of their value.
    pub const ALL: [Self; 10] = [
        Self::Coin,
        Self::Goldbar,
        Self::Ring,
        Self::Necklace,
        Self::Chalice,
        Self::Cross,
        Self::Scepter,
        Self::Gecko,
        Self::Crown,
        Self::Skull,
    ];

    /// Returns the points for collecting one piece.
    pub const fn score(self) -> u32 {
        match self {
            Self::Coin => 100,
            Self::Goldbar => 500,
            Self::Ring => 1500,
            Self::Necklace | Self::Chalice => 2500,
            Self::Cross => 5000,
            Self::Scepter => 7500,
            Self::Gecko => 10_000,
            Self::Crown => 15_000,
            Self::Skull => 25_000,
        }
    }

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Coin => "coin",
            Self::Goldbar => "goldbar",
            Self::Ring => "ring",
            Self::Necklace => "necklace",
            Self::Chalice => "chalice",
            Self::Cross => "cross",
            Self::Scepter => "scepter",
            Self::Gecko => "gecko",
            Self::Crown => "crown",
            Self::Skull => "skull",
        }
    }

    /// Returns the folder of its images in `GAME_TREASURE_`. Each colour has a subfolder.
    const fn folder(self) -> &'static str {
        match self {
            Self::Coin => "COINS",
            Self::Goldbar => "GOLDBARS",
            Self::Ring => "RINGS",
            Self::Necklace => "NECKLACE",
            Self::Chalice => "CHALICES",
            Self::Cross => "CROSSES",
            Self::Scepter => "SCEPTERS",
            Self::Gecko => "GECKOS",
            Self::Crown => "CROWNS",
            Self::Skull => "JEWELEDSKULL",
        }
    }
}

impl fmt::Display for Treasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the treasure that an image set of Claw shows, such as `GAME_TREASURE_RINGS_RED`.
pub fn treasure_from_image_set(image_set: &[u8]) -> Option<Treasure> {
    let rest = image_set.strip_prefix(b"GAME_TREASURE_")?;
    let folder = rest.split(|&byte| byte == b'_').next()?;
    Treasure::ALL.into_iter().find(|treasure| treasure.folder().as_bytes() == folder)
}

/// Returns the loot with a number in Claw.
pub fn loot(id: i32) -> Option<&'static Loot> {
    LOOT.iter().find(|loot| loot.id == id)
}

/// Returns the numbers in the loot fields of an object, up to nine.
pub fn loot_numbers(object: &crate::Object) -> impl Iterator<Item = i32> {
    let sides = |rect: crate::Rect| [rect.left, rect.top, rect.right, rect.bottom];
    let fields = [[object.powerup, 0, 0, 0], sides(object.rect_user1), sides(object.rect_user2)];
    fields.into_iter().flatten().filter(|&id| id != 0)
}

/// The loot number of a warp.
pub(super) const WARP: i32 = 32;

macro_rules! loot_table {
    ($($id:literal $name:literal $($treasure:ident)?,)*) => {
        &[ $( Loot { id: $id, name: $name, treasure: loot_table!(@ $($treasure)?) }, )* ]
    };
    (@) => { None };
    (@ $treasure:ident) => { Some(Treasure::$treasure) };
}

const LOOT: &[Loot] = loot_table![
    1 "goldbar" Goldbar,
    2 "red ring" Ring,
    3 "green ring" Ring,
    4 "blue ring" Ring,
    5 "purple ring" Ring,
    6 "necklace" Necklace,
    7 "red cross" Cross,
    8 "green cross" Cross,
    9 "blue cross" Cross,
    10 "purple cross" Cross,
    11 "red scepter" Scepter,
    12 "green scepter" Scepter,
    13 "blue scepter" Scepter,
    14 "purple scepter" Scepter,
    15 "red gecko" Gecko,
    16 "green gecko" Gecko,
    17 "blue gecko" Gecko,
    18 "purple gecko" Gecko,
    19 "deathbag",
    20 "shot",
    21 "shotbag",
    22 "catnip 1",
    23 "catnip 2",
    24 "food",
    25 "potion 3",
    26 "potion 1",
    27 "potion 2",
    28 "magic 5",
    29 "magic 10",
    30 "magic 25",
    31 "map piece",
    32 "warp",
    33 "coin" Coin,
    34 "dynamite",
    35 "curse: ammo",
    36 "curse: magic",
    37 "curse: health",
    38 "curse: life",
    39 "curse: treasure",
    40 "curse: freeze",
    41 "red chalice" Chalice,
    42 "green chalice" Chalice,
    43 "blue chalice" Chalice,
    44 "purple chalice" Chalice,
    45 "red crown" Crown,
    46 "green crown" Crown,
    47 "blue crown" Crown,
    48 "purple crown" Crown,
    49 "red skull" Skull,
    50 "green skull" Skull,
    51 "blue skull" Skull,
    52 "purple skull" Skull,
    53 "ghost",
    54 "invulnerability",
    55 "extra life",
    56 "fire sword",
    57 "lightning sword",
    58 "ice sword",
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Object, Rect};

    #[test]
    fn loot_is_numbered_without_gaps() {
        for (index, loot) in LOOT.iter().enumerate() {
            assert_eq!(loot.id, i32::try_from(index).unwrap() + 1);
        }
        assert_eq!(loot(33).and_then(|loot| loot.treasure), Some(Treasure::Coin));
        assert_eq!(loot(59), None);
    }

    #[test]
    fn images_identify_treasure() {
        assert_eq!(treasure_from_image_set(b"GAME_TREASURE_COINS"), Some(Treasure::Coin));
        assert_eq!(treasure_from_image_set(b"GAME_TREASURE_JEWELEDSKULL_RED"), Some(Treasure::Skull));
        assert_eq!(treasure_from_image_set(b"GAME_TREASURE_COINSX"), None);
        assert_eq!(treasure_from_image_set(b"GAME_WARP"), None);
    }

    #[test]
    fn an_object_has_up_to_nine_items_of_loot() {
        let user = Rect { left: 1, top: 2, right: 3, bottom: 4 };
        let object = Object { powerup: 33, rect_user1: user, rect_user2: user, ..Object::default() };
        assert_eq!(loot_numbers(&object).collect::<Vec<_>>(), [33, 1, 2, 3, 4, 1, 2, 3, 4]);
        assert_eq!(loot_numbers(&Object { powerup: 7, ..Object::default() }).count(), 1);
    }
}
