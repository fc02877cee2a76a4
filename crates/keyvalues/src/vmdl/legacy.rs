//! Early Dota 2 sources: `<!-- schema text {…} generic {…} -->` and lines such as `string m_meshFile = "models/x.fbx"`.

use mapwright_io::{Finding, Severity};

use super::Vmdl;
use super::nodes::mesh;
use crate::bytes::{MARK, slice};
use crate::kv3::lexer::{Lexeme, Lexer, Token};
use crate::text::decode;

/// Returns `true` if a text has the header of this syntax.
pub(super) fn is_schema_text(bytes: &[u8]) -> bool {
    let rest = bytes.strip_prefix(MARK).unwrap_or(bytes).trim_ascii_start();
    rest.strip_prefix(b"<!--").is_some_and(|rest| rest.trim_ascii_start().starts_with(b"schema text"))
}

/// Reads mesh files and replaced materials. The syntax has no description; everything else is skipped.
pub(super) fn read(bytes: &[u8]) -> Vmdl {
    let mut model = Vmdl { format: "schema text".to_owned(), ..Vmdl::default() };
    let message = "syntax of early Dota 2 sources: only mesh files and replaced materials are read";
    model.findings.push(Finding::new("schema-text", Severity::Note, message));
    let mut lexer = Lexer::new(bytes, 0);
    let mut open: Vec<&[u8]> = Vec::new();
    let (mut word, mut name, mut from): (&[u8], _, _) = (b"", None, None);
    let mut is_assigned = false;
    loop {
        // Parentheses, `*` and `&` are not tokens of KV3. Skip them.
        let Ok(Lexeme { token, range }) = lexer.next() else { continue };
        let text = slice(bytes, range);
        match token {
            Token::End => break,
            Token::Word => word = text,
            Token::Open => open.push(word),
            Token::Close => drop(open.pop()),
            Token::Quoted if is_assigned => {
                let value = decode(text.get(1..text.len().saturating_sub(1)).unwrap_or_default()).into_owned();
                let is_physics = open.last().is_some_and(|class| class.starts_with(b"CVphysics"));
                match word {
                    b"m_meshName" => name = Some(value),
                    b"m_meshFile" if !is_physics => model.meshes.push(mesh(name.take().unwrap_or_default(), &value)),
                    b"m_sSearchMaterial" => from = Some(value),
                    b"m_sReplaceMaterial" => {
                        model.default_materials.remaps.extend(from.take().map(|from| (from, value)));
                    }
                    _ => {}
                }
            }
            _ => {}
        }
        is_assigned = token == Token::Equals;
    }
    model
}
