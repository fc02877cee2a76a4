//! Functions for reading and writing that all documents have.

/// Implements the functions that read a `Document`, with the types `ReadOptions` and `ReadError` that are in scope.
///
/// The first argument describes the file, such as `"a level"`. With it alone, `Document::from_bytes_with` must exist. With a function of
/// `Cow<[u8]>` and options, that and the functions for owned buffers are implemented too. Doc comments before the arguments become part
/// of that of `from_bytes`.
#[macro_export]
macro_rules! read_functions {
    ($(#[doc = $doc:literal])* $file:literal) => {
        $crate::read_functions! { @all [$($doc)*] $file, |bytes, options| Self::from_bytes_with(&bytes, options) }
    };
    ($(#[doc = $doc:literal])* $file:literal, $read:path) => {
        $crate::read_functions! { @all [$($doc)*] $file, |bytes, options| $read(bytes.into(), options) }

        impl Document {
            #[doc = ::core::concat!("Reads ", $file, " with the given options.")]
            ///
            /// # Errors
            #[doc = ::core::concat!("If the bytes are not ", $file, ", or if reading would exceed the limits.")]
            pub fn from_bytes_with(bytes: &[u8], options: &ReadOptions) -> Result<Self, ReadError> {
                $read(bytes.into(), options)
            }

            #[doc = ::core::concat!("Reads ", $file, " from an owned buffer.")]
            ///
            /// A document that stores its text moves the buffer, where [`from_bytes`](Self::from_bytes) copies it.
            ///
            /// # Errors
            /// As [`from_bytes`](Self::from_bytes).
            pub fn from_vec(bytes: Vec<u8>) -> Result<Self, ReadError> {
                Self::from_vec_with(bytes, &ReadOptions::default())
            }

            #[doc = ::core::concat!("Reads ", $file, " from an owned buffer with the given options.")]
            ///
            /// # Errors
            /// As [`from_bytes_with`](Self::from_bytes_with).
            pub fn from_vec_with(bytes: Vec<u8>, options: &ReadOptions) -> Result<Self, ReadError> {
                $read(bytes.into(), options)
            }
        }
    };
    (@all [$($doc:literal)*] $file:literal, |$bytes:ident, $options:ident| $read:expr) => {
        impl Document {
            #[doc = ::core::concat!("Reads ", $file, ".")]
            ///
            $( #[doc = $doc] )*
            ///
            /// # Errors
            #[doc = ::core::concat!("If the bytes are not ", $file, ", or if reading would exceed the default limits.")]
            pub fn from_bytes(bytes: &[u8]) -> Result<Self, ReadError> {
                Self::from_bytes_with(bytes, &ReadOptions::default())
            }

            #[doc = ::core::concat!("Reads ", $file, " from a reader, up to its end.")]
            ///
            /// # Errors
            /// If the reader fails, and as [`from_bytes`](Self::from_bytes).
            pub fn from_reader(reader: impl ::std::io::Read) -> Result<Self, ReadError> {
                Self::from_reader_with(reader, &ReadOptions::default())
            }

            #[doc = ::core::concat!("Reads ", $file, " from a reader with the given options.")]
            ///
            /// # Errors
            /// If the reader fails or returns more bytes than the limit, and as [`from_bytes_with`](Self::from_bytes_with).
            pub fn from_reader_with(reader: impl ::std::io::Read, $options: &ReadOptions) -> Result<Self, ReadError> {
                let $bytes = $crate::read_all(reader, $options.limits.max_input)?;
                $read
            }
        }
    };
}

/// Implements the functions that write a `Document`, with the types `WriteOptions` and `WriteError` that are in scope, over
/// `Document::to_bytes_with`. The argument describes the file, such as `"the level"`.
#[macro_export]
macro_rules! write_functions {
    ($file:literal) => {
        impl Document {
            #[doc = ::core::concat!("Writes ", $file, " with the default options.")]
            ///
            /// # Errors
            /// As [`to_bytes_with`](Self::to_bytes_with). Writing a document that was read and not edited never fails.
            pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
                self.to_bytes_with(&WriteOptions::default())
            }

            #[doc = ::core::concat!("Writes ", $file, " to a writer.")]
            ///
            /// # Errors
            /// If the writer fails, and as [`to_bytes`](Self::to_bytes).
            pub fn write_to(&self, writer: impl ::std::io::Write) -> Result<(), WriteError> {
                self.write_to_with(writer, &WriteOptions::default())
            }

            #[doc = ::core::concat!("Writes ", $file, " to a writer with the given options.")]
            ///
            /// # Errors
            /// If the writer fails, and as [`to_bytes_with`](Self::to_bytes_with).
            pub fn write_to_with(
                &self,
                mut writer: impl ::std::io::Write,
                options: &WriteOptions,
            ) -> Result<(), WriteError> {
                let bytes = self.to_bytes_with(options)?;
                writer.write_all(&bytes).map_err(|error| WriteError::without_position(error.into()))
            }
        }
    };
}
