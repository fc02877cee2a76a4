//! Structs of options with defaults and setters.

/// Declares a struct of options: each field with its default and, after a comma, its setter.
///
/// The struct is `#[non_exhaustive]` and implements [`Default`]. `with_x` takes the type of the field. `with_x(T)` takes a `T` that
/// converts into it, such as the value of an option. A field without a setter is set by a method of the crate. `#[cfg]` comes after the
/// documentation of a field, and also applies to its setter.
///
/// ```
/// mapwright_io::options! {
///     /// Options for writing.
///     #[derive(Debug, Clone, PartialEq)]
///     pub struct WriteOptions {
///         /// Name of the file without its extension.
///         pub name: String = "scene".into(), with_name(impl Into<String>);
///         /// Maximum size of the output in bytes. Default: 2 GiB.
///         pub max_bytes: u64 = 2 << 30, with_max_bytes;
///         /// Lowest and highest value. Default: those of the data.
///         pub range: Option<[f64; 2]> = None, with_range([f64; 2]);
///     }
/// }
/// let options = WriteOptions::default().with_name("a").with_range([0.0, 1.0]);
/// assert_eq!((&*options.name, options.max_bytes, options.range), ("a", 2 << 30, Some([0.0, 1.0])));
/// ```
#[macro_export]
macro_rules! options {
    (
        $(#[$meta:meta])*
        $vis:vis struct $name:ident {
            $(
                $(#[doc = $doc:literal])*
                $(#[cfg($($cfg:tt)+)])?
                $field_vis:vis $field:ident: $type:ty = $default:expr $(, $setter:ident $(($argument:ty))?)?;
            )*
        }
    ) => {
        $(#[$meta])*
        #[non_exhaustive]
        $vis struct $name {
            $( $(#[doc = $doc])* $(#[cfg($($cfg)+)])? $field_vis $field: $type, )*
        }

        impl ::core::default::Default for $name {
            fn default() -> Self {
                Self { $( $(#[cfg($($cfg)+)])? $field: $default, )* }
            }
        }

        impl $name {
            $( $crate::options! { @setter [$($($cfg)+)?] $field, $type $(, $setter $(($argument))?)? } )*
        }
    };
    (@setter [$($cfg:tt)*] $field:ident, $type:ty) => {};
    (@setter [$($cfg:tt)*] $field:ident, $type:ty, $setter:ident) => {
        $crate::options! { @setter [$($cfg)*] $field, $setter, $type, $field }
    };
    (@setter [$($cfg:tt)*] $field:ident, $type:ty, $setter:ident($argument:ty)) => {
        $crate::options! { @setter [$($cfg)*] $field, $setter, $argument, $field.into() }
    };
    (@setter [$($cfg:tt)*] $field:ident, $setter:ident, $argument:ty, $value:expr) => {
        #[doc = ::core::concat!("Changes [`", ::core::stringify!($field), "`](Self::", ::core::stringify!($field), ").")]
        #[cfg(all($($cfg)*))]
        #[must_use]
        pub fn $setter(mut self, $field: $argument) -> Self {
            self.$field = $value;
            self
        }
    };
}
