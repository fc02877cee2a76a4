//! Materials.

use mapwright_etf::{ListItem, Term};

use super::MaterialNames;
use super::image::{Id, Images};
use super::prop::{Found, has_key, is_file_name, is_number, items, look_up, pair, proper};
use super::report::{Fate, Place, Report, Tally};
use crate::Name;
use crate::document::number;

/// Checks the list of materials.
pub(super) fn check<'d>(
    report: &mut Report<'d>,
    place: &Place<'_, 'd>,
    images: &Images<'d>,
    names: &MaterialNames<'d>,
) {
    let mut all_atoms = true;
    for (index, item) in items(place.term).enumerate() {
        let place = place.index(index, item.term().unwrap_or(place.term));
        let Some([name_term, props]) = pair(item) else {
            report.add(&place, "material-shape", Fate::Load, "a material is a pair {Name,Properties}");
            continue;
        };
        let name = Name::from_atom(name_term);
        all_atoms &= name_term.as_atom().is_some();
        let named = names.known.get(&name);
        let is_default = name_term.is_atom("default");
        let is_used = named.is_some_and(|named| named.is_used) || is_default && names.uses_default;
        let material = Material { place, props, is_default, is_used };
        material.check(report, images);
        let is_another = named.is_some_and(|first| first.index != index && first.props != props.as_bytes());
        if is_another && !is_default {
            let what =
                format!("a material before this one is also called {name}; Wings 3D gives this one another name");
            report.add(&place, "material-duplicate", Fate::Lost, what);
            if !all_atoms {
                let what = "to rename a material Wings 3D needs the names of all, but one is no atom";
                report.add(&place, "material-name", Fate::Load, what);
            }
        }
    }
}

struct Material<'p, 'd> {
    place: Place<'p, 'd>,
    props: Term<'d>,
    /// Wings reads a material `default` like any other, but then puts its own in its place.
    is_default: bool,
    /// Whether faces have it.
    is_used: bool,
}

impl<'d> Material<'_, 'd> {
    fn check(&self, report: &mut Report<'d>, images: &Images<'d>) {
        let shape = |report: &mut Report<'d>, what| report.add(&self.place, "material-shape", Fate::Load, what);
        // Wings puts its own material default in the place of one that it could look all up in.
        let is_found = self.is_default && ["opengl", "maps"].iter().all(|key| look_up(self.props, key).is_some());
        if proper(self.props).is_none() && !is_found {
            return shape(report, "the properties of a material are no proper list");
        }
        let is_old = !items(self.props).filter_map(ListItem::term).any(|entry| has_key(entry, "opengl"));
        if is_old {
            return self.old(report, images);
        }
        match look_up(self.props, "opengl") {
            Some(Found::Value(opengl)) if !can_look_up(opengl) => {
                shape(report, "opengl is no proper list");
            }
            Some(Found::Value(opengl)) => self.opengl(report, opengl),
            Some(Found::Bare) => shape(report, "opengl stands alone, without a list"),
            _ => {}
        }
        match look_up(self.props, "maps") {
            Some(Found::Value(maps)) => self.maps(report, maps, images),
            Some(Found::Bare) => shape(report, "maps stands alone, without a list"),
            _ => {}
        }
        if self.is_default {
            if self.is_used {
                let what = "faces have the material default, in whose place Wings 3D has put its own since version 2.1";
                report.add(&self.place, "default-material", Fate::Note, what);
            }
            return;
        }
        // What plug-ins keep is sorted, so it must be lists; the two known keys were looked at.
        let mut odd = Tally::default();
        let mut known = ["opengl", "maps"].map(Some);
        for (index, item) in items(self.props).enumerate() {
            let Some(entry) = item.term() else { continue };
            if let Some(key) =
                known.iter_mut().find(|key| key.is_some_and(|key| has_key(entry, key) && entry.as_atom().is_none()))
            {
                *key = None;
            } else if entry.as_tuple_of().is_some_and(|[_, value]| proper(value).is_none()) {
                odd.count(index);
            }
        }
        report.many(
            &self.place.field("props", self.props),
            odd,
            "material-shape",
            Fate::Load,
            "a property of a material is no list",
        );
    }

    fn opengl(&self, report: &mut Report<'d>, opengl: Term<'d>) {
        let place = self.place.field("opengl", opengl);
        let find = |key| look_up(opengl, key).unwrap_or(Found::Missing);
        let (diffuse, emission) = (find("diffuse"), find("emission"));
        for (key, color) in [("diffuse", diffuse), ("emission", emission)] {
            if is_odd_color(color) {
                let what = format!("{key} is no tuple of three or four");
                report.add(&place, "material-colour", Fate::Load, what);
            }
        }
        for key in ["metallic", "roughness"] {
            let is_float = match find(key).defined() {
                Found::Value(value) => value.as_f64().is_some(),
                found => matches!(found, Found::Missing),
            };
            if !is_float {
                report.add(&place, "material-integer", Fate::Load, format!("{key} is no float"));
            }
        }
        let is_metal = !matches!(find("metallic").defined(), Found::Missing);
        if !is_metal {
            metal(report, &place, diffuse, find("specular"));
        }
        self.specular(report, &place, diffuse, find("metallic").value().and_then(Term::as_f64));
    }

    /// Checks what Wings computes the specular colour from that it writes.
    fn specular(&self, report: &mut Report<'d>, place: &Place<'_, 'd>, diffuse: Found<'d>, metallic: Option<f64>) {
        // A value that is computed is 0 to 1, and does no harm.
        let metallic = metallic.unwrap_or(0.1);
        let is_finite = |part| number(part).is_some_and(|part| (metallic * part + (1.0 - metallic) * 0.1).is_finite());
        let is_fine = rgb(diffuse).is_none_or(|rgb| rgb.into_iter().all(is_finite));
        if !is_fine && self.is_used && !self.is_default {
            let what = "diffuse holds something else than numbers, or is too large to compute with";
            report.add(place, "material-colour", Fate::Save, what);
        }
    }

    fn maps(&self, report: &mut Report<'d>, maps: Term<'d>, images: &Images<'d>) {
        let place = self.place.field("maps", maps);
        let Some(list) = proper(maps) else {
            report.add(&place, "material-map", Fate::Load, "maps is no proper list");
            return;
        };
        for (index, item) in list.enumerate() {
            let place = place.index(index, item.term().unwrap_or(maps));
            let Some([kind, source]) = pair(item) else {
                report.add(&place, "material-map", Fate::Load, "a map is a pair {Type,Image}");
                continue;
            };
            if source.as_integer().is_some() {
                match images.get(&Id::new(source)) {
                    None => {
                        let what = "a map refers to an image that the file does not have; Wings 3D drops the map";
                        report.add(&place, "image-dangling", Fate::Lost, what);
                    }
                    Some(false) => {
                        let what =
                            "a map uses an image of two samples per pixel, of which Wings 3D can make no texture";
                        report.add(&place, "image-samples", Fate::Load, what);
                    }
                    Some(true) => {}
                }
            } else if !is_map(kind, source) {
                let what = "a map is neither the number of an image, nor a file name, nor an image itself";
                report.add(&place, "material-map", Fate::Load, what);
            }
        }
    }

    /// A material of 0.94.02 or older, which has its colours without `opengl`. Wings upgrades it, with a mistake: an unknown
    /// key makes it exchange what it has gathered for the opacity, and the next unknown key exchanges them back.
    fn old(&self, report: &mut Report<'d>, images: &Images<'d>) {
        let mut unknown = 0_usize;
        // The last one counts, unless it is exchanged.
        let mut diffuse = Found::Missing;
        for item in items(self.props) {
            let pair = item.term().and_then(Term::as_property);
            let key = pair.map(|(key, value)| (key.name(), value));
            match key.as_ref().map(|(key, value)| (key.as_ref(), *value)) {
                Some(("diffuse_map", map)) if map.as_integer().is_some() && !images.contains_key(&Id::new(map)) => {
                    let what = "a map refers to an image that the file does not have; Wings 3D drops the map";
                    report.add(&self.place, "image-dangling", Fate::Lost, what);
                }
                Some(("diffuse_map", map)) if images.get(&Id::new(map)) == Some(&false) => {
                    let what = "a map uses an image of two samples per pixel, of which Wings 3D can make no texture";
                    report.add(&self.place, "image-samples", Fate::Load, what);
                }
                Some(("diffuse_map", map)) if map.as_integer().is_none() && !is_map(map, map) => {
                    report.add(&self.place, "material-map", Fate::Load, "diffuse_map is no image");
                }
                Some(("diffuse_map", _)) => {}
                Some((name @ ("diffuse" | "ambient" | "specular"), color)) => {
                    if name == "diffuse" && unknown.is_multiple_of(2) {
                        diffuse = Found::Value(color);
                    }
                    if color.as_tuple_of::<3>().is_none() {
                        let what = format!("{name} of an old material is no triple");
                        report.add(&self.place, "material-colour", Fate::Load, what);
                    }
                }
                Some(("shininess", value)) => {
                    if !is_number(value) {
                        report.add(&self.place, "material-old", Fate::Load, "shininess is no number");
                    }
                }
                _ => unknown = unknown.saturating_add(1),
            }
        }
        let find = |key| look_up(self.props, key).unwrap_or(Found::Missing);
        metal(report, &self.place, find("diffuse"), find("specular"));
        self.specular(report, &self.place, diffuse, None);
        if unknown % 2 == 1 {
            let what =
                "a material of Wings 0.94.02 or older has a key that today's upgrade stumbles over, such as opacity";
            report.add(&self.place, "material-old", Fate::Load, what);
        } else if items(self.props).next().is_some() {
            let what = "the material is of Wings 0.94.02 or older; today's upgrades it";
            report.add(&self.place, "material-old", Fate::Note, what);
        }
    }
}

/// Checks what Wings computes the metallic value from where there is none.
fn metal<'d>(report: &mut Report<'d>, place: &Place<'_, 'd>, diffuse: Found<'d>, specular: Found<'d>) {
    let specular = specular.defined();
    if matches!(specular, Found::Missing) {
        return;
    }
    if is_odd_color(specular) {
        report.add(place, "material-colour", Fate::Load, "specular is no tuple of three or four");
        return;
    }
    for (key, color) in [("diffuse", diffuse), ("specular", specular)] {
        let Some(rgb) = rgb(color) else { continue };
        let floats = rgb.map(Term::as_f64);
        let length: f64 = floats.iter().flatten().map(|x| x * x).sum();
        if floats.contains(&None) {
            let what = format!("{key} holds something else than floats, and there is no metallic");
            report.add(place, "material-integer", Fate::Load, what);
        } else if !length.is_finite() {
            let what = format!("{key} is too large to compute with, and there is no metallic");
            report.add(place, "material-colour", Fate::Load, what);
        }
    }
}

/// Whether Wings finds all that it looks up before it comes to the end of an improper list.
fn can_look_up(opengl: Term<'_>) -> bool {
    let find = |key| look_up(opengl, key).map(Found::defined);
    let is_found = |key, older| match find(key) {
        Some(Found::Missing) => find(older).is_some(),
        found => found.is_some(),
    };
    let keys = ["vertex_colors", "diffuse", "emission"];
    keys.iter().all(|key| find(key).is_some()) && is_found("metallic", "specular") && is_found("roughness", "shininess")
}

/// Whether something is neither missing nor a colour.
fn is_odd_color(color: Found<'_>) -> bool {
    match color {
        Found::Missing => false,
        Found::Bare => true,
        Found::Value(_) => rgb(color).is_none(),
    }
}

/// Red, green and blue of a tuple of three or four.
fn rgb(color: Found<'_>) -> Option<[Term<'_>; 3]> {
    let value = color.value()?;
    value.as_tuple_of().or_else(|| value.as_tuple_of().map(|[r, g, b, _]| [r, g, b]))
}

/// Whether Wings can make a map of something that is no number of an image.
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
