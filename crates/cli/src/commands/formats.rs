//! `mapwright formats`

use std::io::{self, Write};

use mapwright::{Format, OUTPUT_SCHEMAS};
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

    /// Returns `yes`, or the formats that files can be converted to without a scene.
    fn read_as(&self) -> String {
        Self::partners_cell(self.import, Format::converts_to, self.name)
    }

    /// Returns `yes`, or the formats that files can be written from without a scene.
    fn written_from(&self) -> String {
        Self::partners_cell(self.export, |own, other| other.converts_to(own), self.name)
    }

    fn partners_cell(is_scene: bool, is_partner: fn(Format, Format) -> bool, name: &str) -> String {
        let own = Format::from_name(name).filter(|_| !is_scene);
        let is_partner = |other: &Format| own.is_some_and(|own| own != *other && is_partner(own, *other));
        let partners: Vec<&str> = Format::available().filter(is_partner).map(Format::name).collect();
        match (is_scene, partners.is_empty()) {
            (true, _) => "yes".to_owned(),
            (false, true) => "-".to_owned(),
            (false, false) => partners.join(" "),
        }
    }
}

pub(crate) fn run(schema: Option<&str>, global: &Global) -> io::Result<Exit> {
    if let Some((_, schema)) = OUTPUT_SCHEMAS.iter().find(|(name, _)| Some(*name) == schema) {
        let mut out = Out::new();
        out.write_all(schema.as_bytes())?;
        return out.flush().map(|()| Exit::Ok);
    }
    let rows: Vec<Row> = Format::available().map(Row::new).collect();
    let mut out = Out::new();
    if global.json {
        out.write_all(json_line(&Formats { schema: "mapwright.formats/1", formats: rows }).as_bytes())?;
        return out.flush().map(|()| Exit::Ok);
    }
    let yes = |flag| if flag { "yes" } else { "-" };
    let head = ["name", "lossless", "import", "export", "format", "extensions"].map(str::to_owned).to_vec();
    let cells = rows.iter().map(|row| {
        let lossless = yes(row.lossless).to_owned();
        let [import, export] = [row.read_as(), row.written_from()];
        let extensions = row.extensions.join(" ");
        [row.name, &lossless, &import, &export, row.title, &extensions].map(str::to_owned).to_vec()
    });
    let cells: Vec<Vec<String>> = std::iter::once(head).chain(cells).collect();
    out.write_all(table(&cells, |_| false).as_bytes())?;
    out.flush()?;
    Ok(Exit::Ok)
}
