//! Structs of options with defaults and setters.

/// Declares a struct of options: each field with its default and, after a comma, its setter.
///
/// The struct is `#[non_exhaustive]` and implements [`Default`]. `with_x` takes the type of the field. `with_x(T)` takes a `T` that
/// converts into it, such as the value of an option. A field without a setter is set by a method of the crate.
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
                $(#[$field_meta:meta])*
                $field_vis:vis $field:ident: $type:ty = $default:expr $(, $setter:ident $(($argument:ty))?)?;
            )*
        }
    ) => {
        $(#[$meta])*
        #[non_exhaustive]
        $vis struct $name {
            $( $(#[$field_meta])* $field_vis $field: $type, )*
        }

        impl ::core::default::Default for $name {
            fn default() -> Self {
                Self { $( $field: $default, )* }
            }
        }

        impl $name {
            $( $( $crate::options! { @setter $field, $type, $setter $(($argument))? } )? )*
        }
    };
    (@setter $field:ident, $type:ty, $setter:ident) => {
        #[doc = ::core::concat!("Changes [`", ::core::stringify!($field), "`](Self::", ::core::stringify!($field), ").")]
        #[must_use]
        pub fn $setter(mut self, $field: $type) -> Self {
            self.$field = $field;
            self
        }
    };
    (@setter $field:ident, $type:ty, $setter:ident($argument:ty)) => {
        #[doc = ::core::concat!("Changes [`", ::core::stringify!($field), "`](Self::", ::core::stringify!($field), ").")]
        #[must_use]
        pub fn $setter(mut self, $field: $argument) -> Self {
            self.$field = $field.into();
            self
        }
    };
}
