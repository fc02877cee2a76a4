//! Bounding centres of models: what objects' places are the places of.

use hashbrown::{HashMap, HashSet};
use mapwright_io::unescape_bytes;

use super::ListError;
use super::csv::fields;
use crate::Matrix;

/// A measure that Terrain Builder writes for models that it has not measured.
const NEVER: f64 = -999.0;

/// Bounding centres by model, in metres: a point of the model that objects' [positions](Matrix::position) are the places of. The
/// files of terrains do not have them; those of models and Terrain Builder's libraries do.
#[derive(Debug, Clone, Default)]
pub struct Centres {
    /// The centres by the models' names in lower case.
    centres: HashMap<Vec<u8>, [f64; 3]>,
    /// The models' names by those of their templates in lower case.
    templates: HashMap<Vec<u8>, Vec<u8>>,
    /// Templates of several models, in lower case.
    ambiguous: HashSet<Vec<u8>>,
}

impl Centres {
    /// Reads a table of comma separated values with the columns `model`, `cx`, `cy` and `cz`, and maybe `template`.
    ///
    /// # Errors
    /// When a column is missing or a number is none.
    pub fn from_csv(text: &[u8]) -> Result<Self, ListError> {
        let mut lines = text.split(|&byte| byte == b'\n').zip(1..);
        let header = lines.next().map(|(line, _)| fields(line, 1)).transpose()?.unwrap_or_default();
        let column = |name: &str| header.iter().position(|field| field == name.as_bytes());
        let missing = || ListError::new(1, 0, "the columns model, cx, cy and cz are wanted");
        let model = column("model").ok_or_else(missing)?;
        let [Some(x), Some(y), Some(z)] = ["cx", "cy", "cz"].map(column) else { return Err(missing()) };
        let template = column("template");
        let mut centres = Self::default();
        for (line, number) in lines.filter(|(line, _)| !line.trim_ascii().is_empty()) {
            let fields = fields(line, number)?;
            let field = |column: usize| fields.get(column).map(Vec::as_slice).unwrap_or_default();
            let metres = |column: usize| {
                let text = std::str::from_utf8(field(column)).ok();
                let wrong = || ListError::new(number, column.saturating_add(1), "a number of metres is wanted");
                let number = text.and_then(|text| text.trim().parse::<f64>().ok());
                number.filter(|number| number.is_finite()).ok_or_else(wrong)
            };
            let centre = [metres(x)?, metres(y)?, metres(z)?];
            let name = unescape_bytes(&String::from_utf8_lossy(field(model)));
            centres.insert(&name, template.map(field), Some(centre));
        }
        Ok(centres)
    }

    /// Reads one of Terrain Builder's template libraries (`.tml`). Models that it has not measured are known by name alone.
    ///
    /// # Errors
    /// When the text is no such library.
    pub fn from_tml(text: &[u8]) -> Result<Self, ListError> {
        let text = String::from_utf8_lossy(text);
        if !text.contains("<Library") {
            return Err(ListError::new(1, 0, "a template library has <Library>"));
        }
        let mut centres = Self::default();
        for template in text.split("<Template>").skip(1) {
            let Some(file) = element(template, "File").filter(|file| !file.is_empty()) else { continue };
            let attributes = template.split_once("<BoundingCenter").and_then(|(_, rest)| rest.split_once("/>"));
            let centre = attributes.and_then(|(attributes, _)| {
                let side = |name: &str| {
                    let (_, rest) = attributes.split_once(name)?;
                    rest.split_once('"')?.0.parse::<f64>().ok().filter(|number| number.is_finite())
                };
                Some([side("X=\"")?, side("Y=\"")?, side("Z=\"")?])
            });
            let centre = centre.filter(|centre| *centre != [NEVER; 3]);
            let name = element(template, "Name");
            centres.insert(file.as_bytes(), name.as_ref().map(String::as_bytes), centre);
        }
        Ok(centres)
    }

    fn insert(&mut self, model: &[u8], template: Option<&[u8]>, centre: Option<[f64; 3]>) {
        let lower = model.to_ascii_lowercase();
        let template = template.unwrap_or_else(|| super::terrain_builder::template(model)).to_ascii_lowercase();
        if let Some(other) = self.templates.insert(template.clone(), model.to_vec())
            && !other.eq_ignore_ascii_case(model)
        {
            self.ambiguous.insert(template);
        }
        if let Some(centre) = centre {
            self.centres.insert(lower, centre);
        }
    }

    /// The number of models whose centre is known.
    pub fn len(&self) -> usize {
        self.centres.len()
    }

    /// Whether none is known.
    pub fn is_empty(&self) -> bool {
        self.centres.is_empty()
    }

    /// The centre of a model, in the model's own axes.
    pub fn get(&self, model: &[u8]) -> Option<[f64; 3]> {
        self.centres.get(&model.to_ascii_lowercase()).copied()
    }

    /// Whether several models have a template of that name.
    pub fn is_ambiguous(&self, template: &[u8]) -> bool {
        self.ambiguous.contains(&template.to_ascii_lowercase())
    }

    /// The model of a template, the last one if there are several.
    pub fn model(&self, template: &[u8]) -> Option<&[u8]> {
        self.templates.get(&template.to_ascii_lowercase()).map(Vec::as_slice)
    }

    /// How far the centre of a model is from the point that stands on the ground, in the world's axes; nothing where the centre is
    /// not known.
    pub fn offset(&self, model: &[u8], matrix: &Matrix) -> [f64; 3] {
        let at_origin = Matrix { position: [0.0; 3], ..*matrix };
        self.get(model).map_or([0.0; 3], |centre| at_origin.apply(centre))
    }
}

/// The text of an element.
fn element(text: &str, name: &str) -> Option<String> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (content, _) = rest.split_once(&format!("</{name}>"))?;
    let plain = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    Some(plain.iter().fold(content.to_owned(), |text, (escaped, plain)| text.replace(escaped, plain)))
}
