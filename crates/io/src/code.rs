//! Open wire codes and flags.

/// Declares an open wire code: a newtype of the number in the file with a constant for each known value.
///
/// Unknown values are read, compared and written like known ones. Their `name()` is `None`.
///
/// ```
/// mapwright_io::open_code! {
///     /// Flags of a plane.
///     pub struct PlaneFlags(u32) {
///         /// The plane that contains the player.
///         MAIN_PLANE = 1,
///         /// Objects of the plane are not drawn.
///         NO_DRAW = 2,
///     }
/// }
/// assert_eq!(PlaneFlags::NO_DRAW.name(), Some("NO_DRAW"));
/// assert_eq!(PlaneFlags(77).name(), None);
/// assert_eq!(format!("{:?} {:?}", PlaneFlags(1), PlaneFlags(77)), "MAIN_PLANE(1) PlaneFlags(77)");
/// ```
#[macro_export]
macro_rules! open_code {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident($repr:ty) {
            $( $(#[$code_meta:meta])* $code:ident = $value:expr, )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(pub $repr);

        impl $name {
            $( $(#[$code_meta])* pub const $code: Self = Self($value); )*

            /// The known values with their names.
            pub const NAMES: &'static [($repr, &'static str)] = &[ $( ($value, stringify!($code)), )* ];

            /// Returns the name of the constant, or `None` for an unknown value.
            #[allow(unreachable_patterns)]
            pub const fn name(self) -> ::core::option::Option<&'static str> {
                match self {
                    $( Self::$code => ::core::option::Option::Some(stringify!($code)), )*
                    _ => ::core::option::Option::None,
                }
            }
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.name().unwrap_or(stringify!($name)))?;
                ::core::write!(f, "({})", self.0)
            }
        }
    };
}

/// Declares a word of flags: a newtype with a constant for each known bit. Other bits are preserved.
///
/// ```
/// mapwright_io::flags! {
///     /// Drawing of an object.
///     pub struct DrawFlags {
///         /// The object is not drawn.
///         NO_DRAW = 1,
///         /// The image is flipped horizontally.
///         MIRROR = 1 << 1,
///     }
/// }
/// let flags = DrawFlags(6);
/// assert_eq!((flags.has(DrawFlags::MIRROR), flags.unknown()), (true, 4));
/// assert_eq!(format!("{:?}", flags.with(DrawFlags::NO_DRAW, true)), "0x7 NO_DRAW MIRROR");
/// ```
#[macro_export]
macro_rules! flags {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $( $(#[$flag_meta:meta])* $flag:ident = $value:expr, )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
        $vis struct $name(pub u32);

        impl $name {
            $( $(#[$flag_meta])* pub const $flag: Self = Self($value); )*

            /// The known bits with their names, as numbers.
            pub const NAMES: &'static [(u32, &'static str)] = &[ $( ($value, stringify!($flag)), )* ];

            /// The known bits with their names, lowest first.
            pub const KNOWN: &'static [(Self, &'static str)] = &[ $( (Self::$flag, stringify!($flag)), )* ];

            /// Returns `true` if all bits of `flags` are set.
            pub const fn has(self, flags: Self) -> bool {
                self.0 & flags.0 == flags.0
            }

            /// Returns the flags with the bits of `flags` set or cleared.
            #[must_use]
            pub const fn with(self, flags: Self, set: bool) -> Self {
                Self(if set { self.0 | flags.0 } else { self.0 & !flags.0 })
            }

            /// Returns the bits without a name.
            pub const fn unknown(self) -> u32 {
                self.0 $( & !($value) )*
            }
        }

        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::write!(f, "{:#x}", self.0)?;
                let mut known = Self::KNOWN.iter().filter(|(flag, _)| self.has(*flag));
                known.try_for_each(|(_, name)| ::core::write!(f, " {name}"))
            }
        }
    };
}
