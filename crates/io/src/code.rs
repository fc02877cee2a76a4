//! Open wire codes.

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
