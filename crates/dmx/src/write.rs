//! Writes a document as bytes.

mod binary;
mod text;

use mapwright_io::{Frame, Path};

use crate::{Document, WriteError, WriteErrorKind, WriteOptions};

mapwright_io::write_functions!("the document");

impl Document {
    /// Writes the document in the encoding of its header. Unchanged parts of a text keep their formatting; new parts are formatted as
    /// Hammer does.
    ///
    /// # Errors
    /// If the encoding cannot represent the document, or if the file would be longer than the options allow.
    pub fn to_bytes_with(&self, options: &WriteOptions) -> Result<Vec<u8>, WriteError> {
        if !self.header.is_writable() {
            return Err(WriteError::without_position(WriteErrorKind::Header).wrap(Frame::Field("header")));
        }
        let output = if self.header.encoding.is_text() {
            text::write(self, options)?
        } else {
            binary::write(self, options.max_bytes())?
        };
        Ok(output.into_bytes())
    }

    /// Returns the path of the part that the byte at an offset of the binary file belongs to: `elements[7].origin`. For text, and for
    /// documents that cannot be written, it is the path of the document.
    pub fn path_at(&self, offset: u64) -> Path {
        if self.header.encoding.is_text() {
            return Path::new();
        }
        binary::path_at(self, usize::try_from(offset).unwrap_or(usize::MAX)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use crate::{Document, ElementId, Encoding, Guid, Reference, Value, WriteErrorKind, WriteOptions};

    #[test]
    fn every_byte_has_a_path() {
        let mut document = Document::new(Encoding::BINARY_9, "test", 1, "Root", Guid::default());
        document.set(ElementId::ROOT, "a", Value::Int(7));
        document.set(ElementId::ROOT, "b", Value::Float(1.0));
        document.trailing = vec![1];
        let bytes = document.to_bytes().unwrap();
        let mut paths: Vec<String> = (0..bytes.len()).map(|at| document.path_at(at as u64).to_string()).collect();
        assert_eq!(paths.iter().filter(|path| *path == "elements[0].b").count(), 9, "name, type and value");
        paths.dedup();
        assert_eq!(
            paths,
            ["header", "prefix", "strings", "elements", "elements[0]", "elements[0].a", "elements[0].b", "trailing"]
        );
    }

    #[test]
    fn a_file_is_never_longer_than_the_maximum() {
        let mut document = Document::new(Encoding::BINARY_9, "test", 1, "Root", Guid::default());
        let text = document.string_value("text");
        let Value::String(id) = text else { unreachable!() };
        for (index, value) in [
            text,
            Value::Binary([1; 9].into()),
            Value::Matrix(Box::new([1.0; 16])),
            Value::ElementArray([Reference::Null, Reference::Element(ElementId::ROOT), Reference::External(id)].into()),
            Value::StringArray([id; 3].into()),
            Value::BinaryArray([[2; 9].into(), [3; 9].into()].into()),
            Value::Vector3Array([[1.0, 2.0, 3.0]; 3].into()),
            Value::ColorArray([[7; 4]; 9].into()),
            Value::UInt64Array([8; 5].into()),
            Value::IntArray((0..40).collect()),
        ]
        .into_iter()
        .enumerate()
        {
            document.set(ElementId::ROOT, index.to_string(), value);
        }
        for encoding in [Encoding::BINARY_9, Encoding::KEYVALUES2_4] {
            document.set_encoding(encoding);
            let length = document.to_bytes().unwrap().len() as u64;
            let with_max = |max| document.to_bytes_with(&WriteOptions::default().with_max_output(max));
            assert_eq!(with_max(length).unwrap().len() as u64, length);
            for max in 0..length {
                let error = with_max(max).expect_err("too long");
                assert!(matches!(error.kind(), WriteErrorKind::TooLong { .. }), "{max}: {error}");
            }
        }
    }
}
