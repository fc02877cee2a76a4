//! `mapwright formats`

use std::io::{self, Write};

use mapwright::Format;
use serde::Serialize;

use super::json_line;
use crate::args::Global;
use crate::exit::Exit;
use crate::out::Out;

#[derive(Serialize)]
struct Formats {
    schema: &'static str,
    formats: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    title: &'static str,
    extensions: &'static [&'static str],
    lossless: bool,
    import: bool,
    export: bool,
}

impl Row {
    fn new(format: Format) -> Self {
        let (info, access) = (format.info(), format.access());
        Self {
            name: info.name,
            title: info.title,
            extensions: info.extensions,
            lossless: access.lossless,
            import: access.import,
            export: access.export,
        }
    }
}

pub(crate) fn run(global: &Global) -> io::Result<Exit> {
    let rows: Vec<Row> = Format::available().map(Row::new).collect();
    let mut out = Out::new();
    if global.json {
        out.write_all(json_line(&Formats { schema: "mapwright.formats/1", formats: rows }).as_bytes())?;
        return out.flush().map(|()| Exit::Ok);
    }
    writeln!(out, "{:<10} {:<9} {:<7} {:<7} {:<34} extensions", "name", "lossless", "import", "export", "format")?;
    for row in rows {
        let yes = |flag| if flag { "yes" } else { "-" };
        writeln!(
            out,
            "{:<10} {:<9} {:<7} {:<7} {:<34} {}",
            row.name,
            yes(row.lossless),
            yes(row.import),
            yes(row.export),
            row.title,
            row.extensions.join(" ")
        )?;
    }
    out.flush()?;
    Ok(Exit::Ok)
}
