//! Bounding centres of models.

use hashbrown::HashMap;
use mapwright_io::unescape_bytes;

use super::ListError;
use super::csv::lines;
use super::terrain_builder::Templates;
use crate::Matrix;

/// Coordinate that Terrain Builder writes for models that it has not measured.
const UNMEASURED: f64 = -999.0;

/// Bounding centres by model, in metres. The [position](Matrix::position) of an object is that of its model's bounding centre.
/// Terrain files do not store the centres; model files and the libraries of Terrain Builder do.
#[derive(Debug, Clone, Default)]
pub struct Centres {
    /// Centres by model name in lower case.
    centres: HashMap<Vec<u8>, [f64; 3]>,
    /// Models of templates.
    templates: Templates,
}

impl Centres {
    /// Reads a CSV table with the columns `model`, `cx`, `cy`, `cz` and optionally `template`. It may have semicolons or tabs, as in [`read_csv`](super::read_csv).
    ///
    /// # Errors
    /// Fails if a column is missing or a number is invalid.
    pub fn from_csv(text: &[u8]) -> Result<Self, ListError> {
        let (layout, mut lines) = lines(text);
        let header = lines.next().map(|(line, _)| layout.fields(line, 1)).transpose()?.unwrap_or_default();
        let column = |name: &str| header.iter().position(|field| field.eq_ignore_ascii_case(name.as_bytes()));
        let missing = || ListError::new(1, 0, "missing column: expected model, cx, cy and cz");
        let model = column("model").ok_or_else(missing)?;
        let [Some(x), Some(y), Some(z)] = ["cx", "cy", "cz"].map(column) else { return Err(missing()) };
        let template = column("template");
        let mut centres = Self::default();
        for (line, number) in lines.filter(|(line, _)| !line.trim_ascii().is_empty()) {
            let fields = layout.fields(line, number)?;
            let field = |column: usize| fields.get(column).map(Vec::as_slice).unwrap_or_default();
            let metres = |column: usize| {
                let text = String::from_utf8_lossy(field(column));
                let wrong = || {
                    let problem = format!("expected a number of metres, found {text:?}");
                    ListError::new(number, column.saturating_add(1), problem)
                };
                layout.number(&text).filter(|number| number.is_finite()).ok_or_else(wrong)
            };
            let centre = [metres(x)?, metres(y)?, metres(z)?];
            let name = unescape_bytes(&String::from_utf8_lossy(field(model)));
            centres.insert(&name, template.map(field), Some(centre));
        }
        Ok(centres)
    }

    /// Reads a template library of Terrain Builder (`.tml`). Models that it has not measured get no centre.
    ///
    /// # Errors
    /// Fails if the text is not a template library.
    pub fn from_tml(text: &[u8]) -> Result<Self, ListError> {
        let text = String::from_utf8_lossy(text);
        if !text.contains("<Library") {
            return Err(ListError::new(1, 0, "not a template library: <Library> is missing"));
        }
        let mut centres = Self::default();
        for template in text.split("<Template>").skip(1) {
            // Templates without a model file, such as those of shapes, have no centre.
            let Some(file) = element(template, "File").filter(|file| !file.is_empty()) else { continue };
            let attributes = template.split_once("<BoundingCenter").and_then(|(_, rest)| rest.split_once("/>"));
            let centre = attributes.and_then(|(attributes, _)| {
                let side = |name: &str| {
                    let (_, rest) = attributes.split_once(name)?;
                    rest.split_once('"')?.0.parse::<f64>().ok().filter(|number| number.is_finite())
                };
                Some([side("X=\"")?, side("Y=\"")?, side("Z=\"")?])
            });
            let centre = centre.filter(|centre| *centre != [UNMEASURED; 3]);
            let name = element(template, "Name");
            centres.insert(file.as_bytes(), name.as_ref().map(String::as_bytes), centre);
        }
        Ok(centres)
    }

    fn insert(&mut self, model: &[u8], template: Option<&[u8]>, centre: Option<[f64; 3]>) {
        let lower = model.to_ascii_lowercase();
        self.templates.add(template.unwrap_or_else(|| super::terrain_builder::template(model)), model);
        if let Some(centre) = centre {
            self.centres.insert(lower, centre);
        }
    }

    /// Returns the number of models with a known centre.
    pub fn len(&self) -> usize {
        self.centres.len()
    }

    /// Returns `true` if no centre is known.
    pub fn is_empty(&self) -> bool {
        self.centres.is_empty()
    }

    /// Returns the centre of a model, in the axes of the model.
    pub fn get(&self, model: &[u8]) -> Option<[f64; 3]> {
        self.centres.get(&model.to_ascii_lowercase()).copied()
    }

    /// Returns the models of a template. The last one is used if there are several.
    pub fn models(&self, template: &[u8]) -> &[Vec<u8>] {
        self.templates.models(template)
    }

    /// Returns the offset of the bounding centre from the ground point of the model, in world axes. Zero if the centre is unknown.
    pub fn offset(&self, model: &[u8], matrix: &Matrix) -> [f64; 3] {
        let at_origin = Matrix { position: [0.0; 3], ..*matrix };
        self.get(model).map_or([0.0; 3], |centre| at_origin.apply(centre))
    }
}

/// Returns the text of an XML element.
fn element(text: &str, name: &str) -> Option<String> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (content, _) = rest.split_once(&format!("</{name}>"))?;
    let plain = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    Some(plain.iter().fold(content.to_owned(), |text, (escaped, plain)| text.replace(escaped, plain)))
}
