//! Typed access to attributes.

use mapwright_dmx::{self as dmx, ElementRef, Value};

/// A type that attributes can be read as.
pub(crate) trait FromAttribute<'a>: Sized {
    /// Reads an attribute; `None` if it is missing or has another type.
    fn read(element: ElementRef<'a>, name: &str) -> Option<Self>;
}

macro_rules! attributes {
    ($($type:ty = |$element:ident, $name:ident| $read:expr;)*) => { $(
        impl<'a> FromAttribute<'a> for $type {
            fn read($element: ElementRef<'a>, $name: &str) -> Option<Self> {
                $read
            }
        }
    )* };
}

macro_rules! array {
    ($element:ident, $name:ident, $($array:ident)|*) => {
        match $element.get($name)? {
            $(Value::$array(items))|* => Some(items),
            _ => None,
        }
    };
}

attributes! {
    bool = |element, name| element.flag(name);
    i32 = |element, name| element.int(name);
    f64 = |element, name| element.number(name);
    [f32; 3] = |element, name| element.vector3(name);
    [u8; 4] = |element, name| element.color(name);
    &'a [u8] = |element, name| element.text(name);
    &'a [i32] = |element, name| array!(element, name, IntArray);
    &'a [[f32; 3]] = |element, name| array!(element, name, Vector3Array);
    &'a [[f32; 4]] = |element, name| array!(element, name, Vector4Array | QuaternionArray);
    &'a [[u8; 4]] = |element, name| array!(element, name, ColorArray);
}

/// The strings of an array of strings.
#[derive(Clone, Copy)]
pub struct Texts<'a> {
    document: &'a dmx::Document,
    ids: &'a [dmx::StringId],
}

impl<'a> Texts<'a> {
    pub(crate) fn new(element: ElementRef<'a>, name: &str) -> Self {
        let ids: &[dmx::StringId] = match element.get(name) {
            Some(Value::StringArray(ids)) => ids,
            _ => &[],
        };
        Self { document: element.document(), ids }
    }

    /// Returns the number of strings.
    pub fn len(self) -> usize {
        self.ids.len()
    }

    /// Returns `true` if there are no strings.
    pub fn is_empty(self) -> bool {
        self.ids.is_empty()
    }

    /// Returns the text at an index.
    pub fn get(self, index: usize) -> Option<&'a [u8]> {
        self.ids.get(index).map(|id| self.document.string(*id))
    }

    /// Iterates over the strings in order.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = &'a [u8]> + ExactSizeIterator {
        self.ids.iter().map(move |id| self.document.string(*id))
    }
}

impl std::fmt::Debug for Texts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.iter().map(String::from_utf8_lossy)).finish()
    }
}

/// Declares a view of an element, with a method for each attribute.
macro_rules! view {
    (
        $(#[$meta:meta])* $name:ident
        { $( $(#[$doc:meta])* $method:ident: $type:ty = $key:literal, $default:expr; )* }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy)]
        pub struct $name<'a>(pub(crate) mapwright_dmx::ElementRef<'a>);

        impl<'a> $name<'a> {
            /// Returns the element with all attributes.
            pub fn element(self) -> mapwright_dmx::ElementRef<'a> {
                self.0
            }

            $(
                $(#[$doc])*
                pub fn $method(self) -> $type {
                    $crate::document::value::FromAttribute::read(self.0, $key).unwrap_or($default)
                }
            )*
        }
    };
}

/// Declares a view of a node.
macro_rules! node_view {
    (@node $(#[$meta:meta])* $name:ident { $($rest:tt)* }) => {
        impl<'a> $name<'a> {
            /// Returns the view with the attributes of all nodes.
            pub fn node(self) -> $crate::Node<'a> {
                $crate::Node(self.0)
            }
        }
    };
    ($($view:tt)*) => {
        $crate::document::value::view! { $($view)* }
        $crate::document::value::node_view! { @node $($view)* }
    };
}

pub(crate) use {node_view, view};
