//! `mapwright formats`

use std::io::{self, Write};

use mapwright::Format;
use serde::Serialize;

use super::json_line;
use crate::args::Global;
use crate::exit::Exit;
use crate::out::Out;
use crate::table::table;

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
    let yes = |flag| if flag { "yes" } else { "-" };
    let head = ["name", "lossless", "import", "export", "format", "extensions"].map(str::to_owned).to_vec();
    let cells = rows.iter().map(|row| {
        let [lossless, import, export] = [row.lossless, row.import, row.export].map(yes);
        let extensions = row.extensions.join(" ");
        [row.name, lossless, import, export, row.title, &extensions].map(str::to_owned).to_vec()
    });
    let cells: Vec<Vec<String>> = std::iter::once(head).chain(cells).collect();
    out.write_all(table(&cells, |_| false).as_bytes())?;
    out.flush()?;
    Ok(Exit::Ok)
}
