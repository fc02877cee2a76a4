//! Writes a tree as XML, with the layout of Tiled.

use super::Element;
use crate::WriteError;
use crate::edit::Scalar;

/// Returns the text of a file.
pub(super) fn write(root: &Element<'_>) -> Result<String, WriteError> {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let mut open = Vec::new();
    if start(root, &mut out)? {
        open.push((root, root.children.iter()));
    }
    while let Some((element, children)) = open.last_mut() {
        let Some(child) = children.next() else {
            let name = &element.name;
            open.pop();
            indent(open.len(), &mut out);
            out.extend(["</", name, ">\n"]);
            continue;
        };
        indent(open.len(), &mut out);
        if start(child, &mut out)? {
            open.push((child, child.children.iter()));
        }
    }
    Ok(out)
}

fn indent(depth: usize, out: &mut String) {
    out.extend(std::iter::repeat_n(' ', depth));
}

/// Writes a start tag. An element without children is finished. Returns `true` if children follow.
fn start(element: &Element<'_>, out: &mut String) -> Result<bool, WriteError> {
    out.extend(["<", &element.name]);
    for (name, value) in &element.attributes {
        if !crate::read::is_xml_name(name) {
            let name = name.chars().take(40).collect();
            return Err(WriteError::without_position(crate::WriteErrorKind::Name(name)));
        }
        out.extend([" ", name, "=\"", &Scalar::from(&**value).to_xml_word('"')?, "\""]);
    }
    if !element.children.is_empty() {
        out.push_str(">\n");
        return Ok(true);
    }
    match element.text.is_empty() {
        true => out.push_str("/>\n"),
        false => out.extend([">", &Scalar::from(&*element.text).to_xml_text()?, "</", &element.name, ">\n"]),
    }
    Ok(false)
}
