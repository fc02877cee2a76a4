//! A document of any format.

use mapwright_etf as etf;
use mapwright_io::Finding;

use crate::detect::detect;
use crate::{Error, Format, ReadOptions};

/// A document of any format that keeps its files byte for byte.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AnyDocument {
    /// A Wings 3D scene.
    #[cfg(feature = "wings")]
    Wings(mapwright_wings::Document),
    /// An Erlang external term.
    Etf(etf::Document),
}

impl AnyDocument {
    /// Reads a file of any format, found by its content.
    ///
    /// # Errors
    /// [`Error::UnknownFormat`], or that of the format.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let format = detect(bytes, None).format.ok_or(Error::UnknownFormat)?;
        Self::from_bytes_as(bytes, format, &ReadOptions::default())
    }

    /// Reads a file of a format that is known.
    ///
    /// # Errors
    /// Those of the format.
    pub fn from_bytes_as(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<Self, Error> {
        Ok(match format {
            #[cfg(feature = "wings")]
            Format::Wings => Self::Wings(mapwright_wings::Document::from_bytes_with(bytes, &options.wings())?),
            Format::Etf => Self::Etf(etf::Document::from_bytes_with(bytes, &options.etf())?),
        })
    }

    /// The format.
    pub fn format(&self) -> Format {
        match self {
            #[cfg(feature = "wings")]
            Self::Wings(_) => Format::Wings,
            Self::Etf(_) => Format::Etf,
        }
    }

    /// Writes the file. An unchanged document gives the bytes that were read.
    ///
    /// # Errors
    /// Those of the format.
    pub fn to_bytes(&self) -> Result<Vec<u8>, Error> {
        Ok(match self {
            #[cfg(feature = "wings")]
            Self::Wings(document) => document.to_bytes()?,
            Self::Etf(document) => document.to_bytes()?,
        })
    }

    /// The Erlang term and its packing, in formats that are made of one.
    pub fn term(&self) -> Option<&etf::Document> {
        match self {
            #[cfg(feature = "wings")]
            Self::Wings(document) => Some(document.payload()),
            Self::Etf(document) => Some(document),
        }
    }

    /// What is wrong with the document, or worth knowing.
    pub fn validate(&self) -> Vec<Finding> {
        match self {
            #[cfg(feature = "wings")]
            Self::Wings(document) => document.payload().validate(),
            Self::Etf(document) => document.validate(),
        }
    }
}
