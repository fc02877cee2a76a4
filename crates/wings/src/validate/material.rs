//! Materials.

use mapwright_etf::{ListItem, Term};

use super::MaterialNames;
use super::image::{Id, Images};
use super::lookup::{Lookup, find_key, has_key, is_file_name, is_number, items, pair, proper};
use super::report::LoadOutcome::{Accepted, CrashOnLoad, CrashOnSave, DataLoss};
use super::report::{Location, Report, Tally};
use crate::Name;
use crate::document::number;

/// Checks the list of materials.
pub(super) fn check<'d>(
    report: &mut Report<'d>,
    location: &Location<'_, 'd>,
    images: &Images<'d>,
    names: &MaterialNames<'d>,
) {
    let mut all_atoms = true;
    for (index, item) in items(location.term).enumerate() {
        let location = location.index(index, item.term().unwrap_or(location.term));
        let Some([name_term, props]) = pair(item) else {
            report.add(&location, "material-shape", CrashOnLoad, "a material is a pair {Name,Properties}");
            continue;
        };
        let name = Name::from_atom(name_term);
        all_atoms &= name_term.as_atom().is_some();
        let named = names.known.get(&name);
        let is_default = name_term.is_atom("default");
        let is_used = named.is_some_and(|named| named.is_used) || is_default && names.uses_default;
        let material = Material { location, props, is_default, is_used };
        material.check(report, images);
        let is_another = named.is_some_and(|first| first.index != index && first.props != props.as_bytes());
        if is_another && !is_default {
            let what = format!("an earlier material also has the name {name}; Wings 3D renames this one");
            report.add(&location, "material-duplicate", DataLoss, what);
            if !all_atoms {
                let what = "to rename a material, Wings 3D needs the names of all materials as atoms";
                report.add(&location, "material-name", CrashOnLoad, what);
            }
        }
    }
}

struct Material<'p, 'd> {
    location: Location<'p, 'd>,
    props: Term<'d>,
    /// `true` for the material `default`. Wings reads it like any other, but then replaces it.
    is_default: bool,
    /// `true` if a face has the material.
    is_used: bool,
}

impl<'d> Material<'_, 'd> {
    fn check(&self, report: &mut Report<'d>, images: &Images<'d>) {
        let shape = |report: &mut Report<'d>, what| {
            report.add(&self.location, "material-shape", CrashOnLoad, what);
        };
        // Wings replaces the material default. An improper list is accepted if both keys are found before its end.
        let is_found = self.is_default && ["opengl", "maps"].iter().all(|key| find_key(self.props, key).is_some());
        if proper(self.props).is_none() && !is_found {
            return shape(report, "the properties of a material are not a proper list");
        }
        let is_old = !items(self.props).filter_map(ListItem::term).any(|entry| has_key(entry, "opengl"));
        if is_old {
            return self.check_old(report, images);
        }
        match find_key(self.props, "opengl") {
            Some(Lookup::Value(opengl)) if !can_look_up(opengl) => {
                shape(report, "opengl is not a proper list");
            }
            Some(Lookup::Value(opengl)) => self.check_opengl(report, opengl),
            Some(Lookup::Bare) => shape(report, "opengl has no list"),
            _ => {}
        }
        match find_key(self.props, "maps") {
            Some(Lookup::Value(maps)) => self.check_maps(report, maps, images),
            Some(Lookup::Bare) => shape(report, "maps has no list"),
            _ => {}
        }
        if self.is_default {
            if self.is_used {
                let what = "faces have the material default, which Wings 3D replaces by its own since version 2.1";
                report.add(&self.location, "default-material", Accepted, what);
            }
            return;
        }
        // Wings sorts the data of plug-ins, which must be lists. The two known keys were checked above.
        let mut not_lists = Tally::default();
        let mut known = ["opengl", "maps"].map(Some);
        for (index, item) in items(self.props).enumerate() {
            let Some(entry) = item.term() else { continue };
            if let Some(key) =
                known.iter_mut().find(|key| key.is_some_and(|key| has_key(entry, key) && entry.as_atom().is_none()))
            {
                *key = None;
            } else if entry.as_tuple_of().is_some_and(|[_, value]| proper(value).is_none()) {
                not_lists.count(index);
            }
        }
        report.add_tally(
            &self.location.field("props", self.props),
            not_lists,
            "material-shape",
            CrashOnLoad,
            "a property of a material is not a list",
        );
    }

    fn check_opengl(&self, report: &mut Report<'d>, opengl: Term<'d>) {
        let location = self.location.field("opengl", opengl);
        let find = |key| find_key(opengl, key).unwrap_or(Lookup::Missing);
        let (diffuse, emission) = (find("diffuse"), find("emission"));
        for (key, color) in [("diffuse", diffuse), ("emission", emission)] {
            if is_invalid_color(color) {
                let what = format!("{key} is not a tuple of three or four channels");
                report.add(&location, "material-colour", CrashOnLoad, what);
            }
        }
        for key in ["metallic", "roughness"] {
            let is_float = match find(key).defined() {
                Lookup::Value(value) => value.as_f64().is_some(),
                found => matches!(found, Lookup::Missing),
            };
            if !is_float {
                report.add(&location, "material-integer", CrashOnLoad, format!("{key} is not a float"));
            }
        }
        let is_metal = !matches!(find("metallic").defined(), Lookup::Missing);
        if !is_metal {
            check_metallic(report, &location, diffuse, find("specular"));
        }
        self.check_specular(report, &location, diffuse, find("metallic").value().and_then(Term::as_f64));
    }

    /// Checks the inputs of the specular colour that Wings computes for its files.
    fn check_specular(
        &self,
        report: &mut Report<'d>,
        location: &Location<'_, 'd>,
        diffuse: Lookup<'d>,
        metallic: Option<f64>,
    ) {
        // A computed value is between 0 and 1, so any such value works for the check.
        let metallic = metallic.unwrap_or(0.1);
        let is_finite = |part| number(part).is_some_and(|part| (metallic * part + (1.0 - metallic) * 0.1).is_finite());
        let is_fine = rgb(diffuse).is_none_or(|rgb| rgb.into_iter().all(is_finite));
        if !is_fine && self.is_used && !self.is_default {
            let what = "diffuse contains a term that is not a number, or a number beyond the range of floats";
            report.add(location, "material-colour", CrashOnSave, what);
        }
    }

    fn check_maps(&self, report: &mut Report<'d>, maps: Term<'d>, images: &Images<'d>) {
        let location = self.location.field("maps", maps);
        let Some(list) = proper(maps) else {
            report.add(&location, "material-map", CrashOnLoad, "maps is not a proper list");
            return;
        };
        for (index, item) in list.enumerate() {
            let location = location.index(index, item.term().unwrap_or(maps));
            let Some([kind, source]) = pair(item) else {
                report.add(&location, "material-map", CrashOnLoad, "a map is a pair {Type,Image}");
                continue;
            };
            if source.as_integer().is_some() {
                check_image_id(report, &location, source, images);
            } else if !is_map(kind, source) {
                let what = "invalid image of a map: expected the id of an image, a file name or an image";
                report.add(&location, "material-map", CrashOnLoad, what);
            }
        }
    }

    /// Checks a material of 0.94.02 or older, whose colours are not in `opengl`. The upgrade of Wings has a mistake: at an unknown
    /// key it swaps the collected properties with the opacity, and at the next unknown key it swaps them back.
    fn check_old(&self, report: &mut Report<'d>, images: &Images<'d>) {
        let mut unknown = 0_usize;
        // The last one counts, unless it was swapped.
        let mut diffuse = Lookup::Missing;
        for item in items(self.props) {
            let pair = item.term().and_then(Term::as_property);
            let key = pair.map(|(key, value)| (key.name(), value));
            match key.as_ref().map(|(key, value)| (key.as_ref(), *value)) {
                Some(("diffuse_map", map))
                    if map.as_integer().is_some() || images.get(&Id::new(map)) == Some(&false) =>
                {
                    check_image_id(report, &self.location, map, images);
                }
                Some(("diffuse_map", map)) if !is_map(map, map) => {
                    report.add(&self.location, "material-map", CrashOnLoad, "diffuse_map is not an image");
                }
                Some(("diffuse_map", _)) => {}
                Some((name @ ("diffuse" | "ambient" | "specular"), color)) => {
                    if name == "diffuse" && unknown.is_multiple_of(2) {
                        diffuse = Lookup::Value(color);
                    }
                    if color.as_tuple_of::<3>().is_none() {
                        let what = format!("{name} of an old material is not a triple");
                        report.add(&self.location, "material-colour", CrashOnLoad, what);
                    }
                }
                Some(("shininess", value)) => {
                    if !is_number(value) {
                        report.add(&self.location, "material-old", CrashOnLoad, "shininess is not a number");
                    }
                }
                _ => unknown = unknown.saturating_add(1),
            }
        }
        let find = |key| find_key(self.props, key).unwrap_or(Lookup::Missing);
        check_metallic(report, &self.location, find("diffuse"), find("specular"));
        self.check_specular(report, &self.location, diffuse, None);
        if unknown % 2 == 1 {
            let what = "a material of Wings 0.94.02 or older has a key that the current upgrade cannot handle, such as opacity";
            report.add(&self.location, "material-old", CrashOnLoad, what);
        } else if items(self.props).next().is_some() {
            let what = "the material is of Wings 0.94.02 or older; the current version upgrades it";
            report.add(&self.location, "material-old", Accepted, what);
        }
    }
}

/// Checks a map that refers to an image by id.
fn check_image_id<'d>(report: &mut Report<'d>, location: &Location<'_, 'd>, id: Term<'d>, images: &Images<'d>) {
    match images.get(&Id::new(id)) {
        None => {
            let what = "a map refers to an image that does not exist; Wings 3D drops the map";
            report.add(location, "image-dangling", DataLoss, what);
        }
        Some(false) => {
            let what = "a map uses an image of two samples per pixel, which Wings 3D cannot use as a texture";
            report.add(location, "image-samples", CrashOnLoad, what);
        }
        Some(true) => {}
    }
}

/// Checks the inputs of the metallic value that Wings computes if it is missing.
fn check_metallic<'d>(report: &mut Report<'d>, location: &Location<'_, 'd>, diffuse: Lookup<'d>, specular: Lookup<'d>) {
    let specular = specular.defined();
    if matches!(specular, Lookup::Missing) {
        return;
    }
    if is_invalid_color(specular) {
        report.add(location, "material-colour", CrashOnLoad, "specular is not a tuple of three or four channels");
        return;
    }
    for (key, color) in [("diffuse", diffuse), ("specular", specular)] {
        let Some(rgb) = rgb(color) else { continue };
        let floats = rgb.map(Term::as_f64);
        let length: f64 = floats.iter().flatten().map(|x| x * x).sum();
        if floats.contains(&None) {
            let what = format!("{key} contains a term that is not a float, and metallic is missing");
            report.add(location, "material-integer", CrashOnLoad, what);
        } else if !length.is_finite() {
            let what = format!("{key} is beyond the range of floats, and metallic is missing");
            report.add(location, "material-colour", CrashOnLoad, what);
        }
    }
}

/// Returns `true` if Wings finds all keys before it reaches the end of an improper list.
fn can_look_up(opengl: Term<'_>) -> bool {
    let find = |key| find_key(opengl, key).map(Lookup::defined);
    let is_found = |key, older| match find(key) {
        Some(Lookup::Missing) => find(older).is_some(),
        found => found.is_some(),
    };
    let keys = ["vertex_colors", "diffuse", "emission"];
    keys.iter().all(|key| find(key).is_some()) && is_found("metallic", "specular") && is_found("roughness", "shininess")
}

/// Returns `true` if a value is present and not a colour.
fn is_invalid_color(color: Lookup<'_>) -> bool {
    match color {
        Lookup::Missing => false,
        Lookup::Bare => true,
        Lookup::Value(_) => rgb(color).is_none(),
    }
}

/// Reads red, green and blue from a tuple of three or four.
fn rgb(color: Lookup<'_>) -> Option<[Term<'_>; 3]> {
    let value = color.value()?;
    value.as_tuple_of().or_else(|| value.as_tuple_of().map(|[r, g, b, _]| [r, g, b]))
}

/// Returns `true` if Wings can load the image of a map that does not refer to an image by number.
fn is_map(kind: Term<'_>, source: Term<'_>) -> bool {
    let names_itself = kind.as_atom().is_some();
    if let Some(list) = source.as_list() {
        return is_file_name(list);
    }
    if source.is_atom("none") {
        return true;
    }
    if let Some([tag, .., name, _]) = source.as_tuple_of::<11>() {
        let has_name = name.as_list().is_some_and(|name| !name.is_empty());
        return tag.is_atom("e3d_image") && (has_name || names_itself);
    }
    source.as_tuple_of::<3>().is_some() && names_itself
}
