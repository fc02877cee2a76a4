//! Read access to the data of the editor: visgroups, groups, cordons and cameras.

use std::borrow::Cow;

use mapwright_keyvalues::kv1::Item;

use super::value;

/// The block `editor` of a solid, an entity or a group.
#[derive(Debug, Clone, Copy)]
pub struct EditorData<'a> {
    item: Item<'a>,
}

impl<'a> EditorData<'a> {
    pub(crate) fn of(parent: Item<'a>) -> Option<Self> {
        value::block(parent, "editor").map(|item| Self { item })
    }

    /// Returns the block.
    pub fn item(self) -> Item<'a> {
        self.item
    }

    /// Returns red, green and blue, from 0 to 255.
    pub fn color(self) -> Option<[f64; 3]> {
        value::numbers(self.item, "color")
    }

    /// Iterates over the ids of the visgroups that the object is in.
    pub fn visgroup_ids(self) -> impl Iterator<Item = i64> + Clone + use<'a> {
        let keys = self.item.items().filter(|item| item.is("visgroupid"));
        keys.filter_map(|item| value::parse_integer(&item.text()?))
    }

    /// Returns the id of the group that the object is in.
    pub fn group_id(self) -> Option<i64> {
        value::integer(self.item, "groupid")
    }

    /// Returns `true` if the visgroups of the object are shown.
    pub fn is_shown(self) -> Option<bool> {
        value::flag(self.item, "visgroupshown")
    }

    /// Returns `true` if the automatic visgroups of the object are shown.
    pub fn is_auto_shown(self) -> Option<bool> {
        value::flag(self.item, "visgroupautoshown")
    }

    /// Returns the position in the logical view.
    pub fn logical_position(self) -> Option<[f64; 2]> {
        value::numbers(self.item, "logicalpos")
    }

    /// Returns the comments of the mapper.
    pub fn comments(self) -> Option<Cow<'a, str>> {
        value::text(self.item, "comments")
    }

    /// Returns `true` for a solid that a cordon made, which is not part of the map.
    pub fn is_cordon_solid(self) -> bool {
        value::flag(self.item, "cordonsolid").unwrap_or(false)
    }
}

/// Declares views of blocks.
macro_rules! blocks {
    ($($(#[$meta:meta])* $name:ident)*) => { $(
        $(#[$meta])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name<'a> {
            item: Item<'a>,
        }

        impl<'a> $name<'a> {
            pub(crate) fn from_block(item: Item<'a>) -> Self {
                Self { item }
            }

            /// Returns the block.
            pub fn item(self) -> Item<'a> {
                self.item
            }
        }
    )* };
}

blocks! {
    /// A set of objects that the editor hides and shows together.
    VisGroup
    /// Objects that the editor selects together. Its members have its id in their [`EditorData`].
    Group
    /// A box to which the editor and compilers limit the map.
    Cordon
    /// A camera of the editor.
    Camera
}

impl<'a> VisGroup<'a> {
    /// Returns the name.
    pub fn name(self) -> Option<Cow<'a, str>> {
        value::text(self.item, "name")
    }

    /// Returns the id, which is in the [`EditorData`] of the members.
    pub fn id(self) -> Option<i64> {
        value::integer(self.item, "visgroupid")
    }

    /// Returns red, green and blue, from 0 to 255.
    pub fn color(self) -> Option<[f64; 3]> {
        value::numbers(self.item, "color")
    }

    /// Iterates over the visgroups in this one.
    pub fn visgroups(self) -> impl Iterator<Item = Self> + Clone {
        value::blocks(self.item.items(), "visgroup").map(Self::from_block)
    }
}

impl<'a> Group<'a> {
    /// Returns the id.
    pub fn id(self) -> Option<i64> {
        value::integer(self.item, "id")
    }

    /// Returns the data of the editor, which has the id of the group that this one is in.
    pub fn editor(self) -> Option<EditorData<'a>> {
        EditorData::of(self.item)
    }
}

impl<'a> Cordon<'a> {
    /// Returns the name. Cordons of older maps have none.
    pub fn name(self) -> Option<Cow<'a, str>> {
        value::text(self.item, "name")
    }

    /// Returns `true` if the cordon is active.
    pub fn is_active(self) -> Option<bool> {
        value::flag(self.item, "active")
    }

    /// Returns the lowest and the highest corner.
    pub fn bounds(self) -> Option<[[f64; 3]; 2]> {
        let bounds = value::block(self.item, "box").unwrap_or(self.item);
        Some([value::numbers(bounds, "mins")?, value::numbers(bounds, "maxs")?])
    }
}

impl Camera<'_> {
    /// Returns the position.
    pub fn position(self) -> Option<[f64; 3]> {
        value::numbers(self.item, "position")
    }

    /// Returns the point that the camera looks at.
    pub fn look_at(self) -> Option<[f64; 3]> {
        value::numbers(self.item, "look")
    }
}
