//! Failures, as text for people and as JSON.

use std::fmt::Write as _;
use std::io::{self, ErrorKind, Write as _};

use mapwright::excerpt::{hex_rows, text_line};
use mapwright::io::{Position, Space};
use mapwright::rez::ReadError;
use mapwright::scene::{FileKind, FileSource};
use mapwright::{Error, Format, Place, ReadOptions};
use serde::Serialize;

use crate::args::Global;
use crate::exit::Exit;
use crate::out::{Color, Out, paint, print_message};
use crate::text::clean;

/// The place of failures that concern no file.
const COMMAND_LINE: &str = "the command line";

/// A failure with all that is printed about it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Failure {
    schema: &'static str,
    pub(crate) file: String,
    /// The faulty file, if it is not the input but one that the input refers to.
    #[serde(skip_serializing_if = "Option::is_none")]
    side_file: Option<String>,
    category: &'static str,
    #[serde(serialize_with = "code")]
    pub(crate) exit: Exit,
    message: String,
    #[serde(flatten)]
    place: Option<PlaceJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    help: Option<String>,
    #[serde(skip)]
    at: Option<Place>,
    /// The lines around the position.
    #[serde(skip)]
    excerpt: String,
}

fn code<S: serde::Serializer>(exit: &Exit, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u8(exit.code())
}

/// A position, in the form of the JSON output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub(crate) enum PlaceJson {
    Offset { offset: u64, space: &'static str },
    Line { line: u64, column: u64 },
}

impl From<Place> for PlaceJson {
    fn from(place: Place) -> Self {
        match place {
            Place::Offset(Position { offset, space, .. }) => {
                let space = match space {
                    Space::File => "file",
                    Space::Inflated => "inflated",
                };
                Self::Offset { offset, space }
            }
            Place::Line { line, column } => Self::Line { line, column },
        }
    }
}

impl Failure {
    pub(crate) fn new(file: &str, error: &Error) -> Box<Self> {
        let exit = Exit::from_error(error);
        // The name of the file follows the message.
        let message = error.message();
        let message = message.strip_prefix(&format!("{file}: ")).unwrap_or(&message).to_owned();
        let category = match exit {
            Exit::UnknownFormat => "unknown-format",
            Exit::Usage => "usage",
            _ => error.category().name(),
        };
        Box::new(Self {
            schema: "mapwright.error/1",
            file: file.to_owned(),
            side_file: error.side_file().map(str::to_owned),
            category,
            exit,
            message: in_plain_words(message),
            place: error.place().map(PlaceJson::from),
            path: error.path(),
            help: help(error).map(|help| with_names(&help, file)),
            at: error.place(),
            excerpt: String::new(),
        })
    }

    /// Returns the failure for an invalid command line.
    pub(crate) fn usage(message: impl Into<String>) -> Box<Self> {
        Self::other(COMMAND_LINE, "usage", Exit::Usage, message.into())
    }

    /// Returns a failure that does not come from the library.
    pub(crate) fn other(file: &str, category: &'static str, exit: Exit, message: String) -> Box<Self> {
        Box::new(Self {
            schema: "mapwright.error/1",
            file: file.to_owned(),
            side_file: None,
            category,
            exit,
            message,
            place: None,
            path: None,
            help: None,
            at: None,
            excerpt: String::new(),
        })
    }

    /// Returns the failure for a damaged REZ archive or a damaged file in it.
    pub(crate) fn of_archive(file: &str, error: &ReadError) -> Box<Self> {
        let category = error.category();
        Self::other(file, category.name(), Exit::from_category(category), error.to_string())
    }

    /// Sets the line with the next step.
    pub(crate) fn with_help(mut self: Box<Self>, help: &str) -> Box<Self> {
        self.help = Some(help.to_owned());
        self
    }

    /// Sets the file.
    pub(crate) fn with_file(mut self: Box<Self>, file: &str) -> Box<Self> {
        file.clone_into(&mut self.file);
        self
    }

    /// Sets the line of the file.
    pub(crate) fn with_line(mut self: Box<Self>, line: u64) -> Box<Self> {
        let place = Place::Line { line, column: 0 };
        (self.at, self.place) = (Some(place), Some(place.into()));
        self
    }

    /// Adds the faulty line of a text as an excerpt.
    pub(crate) fn with_text(mut self: Box<Self>, text: &[u8]) -> Box<Self> {
        if let Some(Place::Line { line, column }) = self.at {
            self.excerpt = text_line(text, line, column, "   | ");
        }
        self
    }

    /// Adds an excerpt of the faulty file: the bytes around the position, or the line of text.
    pub(crate) fn with_bytes(mut self: Box<Self>, bytes: &[u8], format: Format, options: &ReadOptions) -> Box<Self> {
        self.excerpt = match self.at {
            // The bytes at a limit explain nothing.
            _ if self.exit == Exit::Limit => String::new(),
            // The file is read again, because errors do not contain it.
            Some(Place::Line { line, column }) if self.side_file.is_some() => {
                let side = self.side_file.as_deref().and_then(|name| options.files().load(name, FileKind::Data).ok());
                side.map(|text| text_line(&text, line, column, "   | ")).unwrap_or_default()
            }
            _ if self.side_file.is_some() => String::new(),
            Some(Place::Offset(at)) => mapwright::bytes_around(bytes, format, at, options)
                .map(|(start, bytes)| hex_rows(start, &bytes, Some(at.offset), "   | "))
                .unwrap_or_default(),
            Some(Place::Line { line, column }) => text_line(bytes, line, column, "   | "),
            None => String::new(),
        };
        self
    }

    /// Returns the lines for people.
    pub(crate) fn text(&self) -> String {
        let mut out =
            format!("{}: {}\n", paint(&format!("error[{}]", self.category), Color::Red), clean(&self.message));
        if self.file != COMMAND_LINE {
            let _ = match &self.side_file {
                Some(side) => write!(out, "  --> {} (named by {})", clean(side), clean(&self.file)),
                None => write!(out, "  --> {}", clean(&self.file)),
            };
            if let Some(at) = self.at {
                let _ = write!(out, " at {at}");
            }
            if let Some(path) = &self.path {
                let _ = write!(out, " in {}", clean(path));
            }
            out.push('\n');
        }
        out.push_str(&self.excerpt);
        if let Some(help) = &self.help {
            let _ = writeln!(out, "{}: {}", paint("help", Color::Cyan), clean(help));
        }
        out
    }

    /// Prints a failure before the first file, with --json also as JSON, and returns its exit status.
    ///
    /// # Errors
    /// Errors of standard output.
    pub(crate) fn print(&self, global: &Global) -> io::Result<Exit> {
        self.print_as(global.json)
    }

    /// Prints the failure as [`print`](Self::print) does.
    ///
    /// # Errors
    /// Errors of standard output.
    pub(crate) fn print_as(&self, json: bool) -> io::Result<Exit> {
        if json {
            let mut out = Out::new();
            out.write_all(self.json().as_bytes())?;
            out.flush()?;
        }
        print_message(self.text());
        Ok(self.exit)
    }

    /// Returns the line of JSON.
    pub(crate) fn json(&self) -> String {
        crate::commands::json_line(self)
    }
}

/// Returns the next step, with the options of the command.
fn help(error: &Error) -> Option<String> {
    match error {
        Error::UnknownFormat => {
            Some("name the format with --from if you know it; `mapwright formats` lists them".to_owned())
        }
        Error::Exists(_) => Some("--force replaces it".to_owned()),
        Error::Empty { contents, .. } => {
            let hidden = if contents.contains("hidden") { "; --hidden converts hidden objects" } else { "" };
            Some(format!(
                "`mapwright formats` shows what each format stores{hidden}; --allow-empty writes the file anyway"
            ))
        }
        Error::Save { path, error } if error.kind() == ErrorKind::NotFound => {
            Some(format!("make the folder {} first", path.parent()?.display()))
        }
        Error::Save { error, .. } if error.kind() == ErrorKind::FileTooLarge => {
            Some("raise the limit on the size of files (ulimit -f), or save to another file system".to_owned())
        }
        _ => error.help().map(|help| with_options(&help)),
    }
}

/// Replaces the placeholders for files in a command of a help text.
fn with_names(help: &str, file: &str) -> String {
    if !help.contains("in.png") {
        return help.to_owned();
    }
    let output = std::path::Path::new(file).with_extension("gray.png");
    help.replace("in.png", file).replace("out.png", &output.display().to_string())
}

/// Replaces the words of the JSON parser, which are those of Rust. The path before them stays.
fn in_plain_words(message: String) -> String {
    const ENDS: [&str; 4] = ["a value", "a list", "an object", "a string"];
    if ENDS.iter().any(|end| message.ends_with(&format!("EOF while parsing {end}"))) {
        return "the JSON text ends early".to_owned();
    }
    let after = |start: &str| {
        let at =
            message.find(start).filter(|at| *at == 0 || message.get(..*at).is_some_and(|path| path.ends_with(": ")))?;
        Some((message.get(..at)?, message.get(at.saturating_add(start.len())..)?))
    };
    if let Some((path, field)) = after("missing field ") {
        return format!("{path}{field} is missing");
    }
    if let Some((path, word)) = after("unknown variant ") {
        return format!("{path}unknown word {}", word.replacen(", expected", ": expected", 1));
    }
    let wrong = after("invalid type: ").or_else(|| after("invalid value: "));
    match wrong.and_then(|(path, text)| Some((path, text.rsplit_once(", expected ")?))) {
        Some((path, (found, expected))) => {
            format!("{path}expected {}, found {}", plain_type(expected), plain_type(found))
        }
        None => message,
    }
}

/// Returns the name of a type, or a value with its type, in words of JSON.
fn plain_type(text: &str) -> String {
    const VALUES: [(&str, &str); 3] =
        [("floating point ", "the number "), ("integer ", "the number "), ("string ", "the text ")];
    match text {
        "sequence" => "an array".to_owned(),
        "map" => "an object".to_owned(),
        "unit variant" => "a word".to_owned(),
        "f32" | "f64" => "a number".to_owned(),
        "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "usize" => "a whole number".to_owned(),
        _ => {
            let value = VALUES.iter().find_map(|(rust, plain)| Some(format!("{plain}{}", text.strip_prefix(rust)?)));
            value.unwrap_or_else(|| text.to_owned())
        }
    }
}

/// Replaces names of options of the library in a message by those of the command line.
fn with_options(help: &str) -> String {
    const OPTIONS: [(&str, &str); 9] = [
        ("max_bytes in the import options", "--limit-inflated"),
        ("max_bytes in the export options", "--limit-output"),
        ("max_input", "--limit-input"),
        ("max_decompressed", "--limit-inflated"),
        ("max_items", "--limit-items"),
        ("max_objects", "--limit-items"),
        ("max_expanded", "--limit-inflated"),
        ("max_depth", "--limit-depth"),
        ("max_output", "--limit-output"),
    ];
    if let Some((_, option)) = OPTIONS.iter().find(|(name, _)| help.contains(name)) {
        return format!("raise it with {option} if the file is trusted");
    }
    if help.contains("max_text") {
        return "no editor writes texts of this length: the file is damaged, or a quote is missing".to_owned();
    }
    if help.contains("the option nodata") {
        return "use --nodata METRES, such as --nodata -20 for the sea, or --nodata interpolate".to_owned();
    }
    for (name, option) in [("size", "--raw-size COLUMNSxROWS"), ("pixels", "--range LOW,HIGH")] {
        if help == format!("state it with heightmap.{name} in the read options") {
            return format!("state it with {option} of `mapwright convert`");
        }
    }
    if help.contains("External::") {
        return help.replace("External::Any", "--external any").replace("External::Beside", "--external beside");
    }
    if help.contains("terrain_step") {
        return help.replace("fewer heights with terrain_step, or ", "");
    }
    if help.contains("size of the header") {
        return "--any-header-size reads it as if the size was 1524".to_owned();
    }
    help.replace("use the lenient mode to read", "use --lenient to read")
}

#[cfg(test)]
mod tests {
    use mapwright::interchange::ErrorKind;
    use mapwright::io::ErrorKind as _;
    use mapwright::scene::FileError;
    use mapwright::{etf, wwd};

    use super::{in_plain_words, with_options};

    #[test]
    fn messages_of_the_json_parser_are_in_plain_words() {
        for (message, expected) in [
            ("EOF while parsing a list", "the JSON text ends early"),
            ("missing field `model`", "`model` is missing"),
            ("invalid type: sequence, expected f64", "expected a number, found an array"),
            ("invalid type: integer `5`, expected a string", "expected a string, found the number `5`"),
            ("invalid value: integer `-1`, expected u32", "expected a whole number, found the number `-1`"),
            ("header.created: invalid type: map, expected f32", "header.created: expected a number, found an object"),
            (
                "a: invalid type: string \"map, expected f64\", expected u8",
                "a: expected a whole number, found the text \"map, expected f64\"",
            ),
            ("b: unknown variant `x`, expected `y` or `z`", "b: unknown word `x`: expected `y` or `z`"),
            ("the file is empty", "the file is empty"),
        ] {
            assert_eq!(in_plain_words(message.to_owned()), expected);
        }
    }

    #[test]
    fn help_names_the_options_of_the_command() {
        let missing = |reason| ErrorKind::MissingFile { name: "a".to_owned(), reason }.help();
        let limit = |what| ErrorKind::Limit { what, limit: 1 }.help();
        for (help, expected) in [
            (etf::ReadErrorKind::Local.help(), "use --lenient to read terms that Erlang rejects"),
            (
                wwd::ReadErrorKind::HeaderSize { found: 2000 }.help(),
                "--any-header-size reads it as if the size was 1524",
            ),
            (limit("bytes of a terrain in one file"), "write a .gltf with a separate .bin file"),
            (limit("objects"), "raise it with --limit-items if the file is trusted"),
            (
                missing(FileError::Outside),
                "put the file beside the document, or allow --external any if you trust the document",
            ),
            (
                missing(FileError::Disabled),
                "allow --external beside if the folder of the document contains only its files",
            ),
        ] {
            assert_eq!(with_options(&help.unwrap()), expected);
        }
        let of_images = with_options("raise max_bytes in the import options if the document is trusted");
        assert_eq!(of_images, "raise it with --limit-inflated if the file is trusted");
    }
}
