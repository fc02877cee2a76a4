//! Faces of brushes.

use mapwright_scene::transform::{cross, sub};
use mapwright_scene::{BrushSide, LossKind, Properties, TextureProjection, Value};

use super::lexer::{Token, number};
use super::{AXES, Reader};
use crate::Error;
use crate::map::{EXTRA, FLAGS, VALVE_ROTATION};

impl Reader<'_> {
    /// Reads a face after its first parenthesis.
    pub(super) fn face(&mut self) -> Result<BrushSide, Error> {
        let first = self.point()?;
        self.lexer.mark(b'(')?;
        let second = self.point()?;
        self.lexer.mark(b'(')?;
        let third = self.point()?;
        // Maps are clockwise, scenes counter-clockwise.
        let plane = [third, second, first];
        let name = self.lexer.name()?;
        let material = self.material(name)?;
        let mut properties = Properties::new();
        let projection = if self.lexer.peek()? == Some(Token::Mark(b'[')) {
            self.valve(&mut properties)?
        } else {
            let [a, b, c] = plane;
            self.standard(cross(sub(b, a), sub(c, a)))?
        };
        self.flags(&mut properties)?;
        Ok(BrushSide { plane, corners: Vec::new(), projection, material, properties })
    }

    /// Reads three numbers and a closing parenthesis.
    fn point(&mut self) -> Result<[f64; 3], Error> {
        let mut point = [0.0; 3];
        for number in &mut point {
            *number = self.lexer.number("a coordinate")?;
        }
        self.lexer.mark(b')')?;
        Ok(AXES.apply(point))
    }

    fn standard(&mut self, normal: [f64; 3]) -> Result<TextureProjection, Error> {
        let mut next = || self.lexer.number("a number of a texture");
        let (offset, rotation) = ([next()?, next()?], next()?);
        let scale = self.scale()?;
        Ok(TextureProjection {
            offset,
            rotation: rotation.to_radians(),
            scale,
            ..TextureProjection::on_base_axes(normal)
        })
    }

    /// Reads two axes with their offsets, a rotation that they already contain, and the scale.
    fn valve(&mut self, properties: &mut Properties) -> Result<TextureProjection, Error> {
        let (u, x) = self.axis()?;
        let (v, y) = self.axis()?;
        let rotation = self.lexer.number("the rotation of a texture")?;
        if rotation != 0.0 {
            properties.push(VALVE_ROTATION, rotation);
        }
        let scale = self.scale()?;
        Ok(TextureProjection { u, v, offset: [x, y], scale, rotation: 0.0, local: false })
    }

    fn axis(&mut self) -> Result<([f64; 4], f64), Error> {
        self.lexer.mark(b'[')?;
        let mut next = || self.lexer.number("a number of a texture axis");
        let (axis, shift) = ([next()?, next()?, next()?], next()?);
        self.lexer.mark(b']')?;
        let [x, y, z] = AXES.apply(axis);
        Ok(([x, y, z, 0.0], shift))
    }

    fn scale(&mut self) -> Result<[f64; 2], Error> {
        let mut scale = [0.0; 2];
        for factor in &mut scale {
            *factor = self.lexer.number("the scale of a texture")?;
            if *factor == 0.0 {
                *factor = 1.0;
                self.note(LossKind::Repaired, "texture scale of 0: read as 1");
            }
        }
        Ok(scale)
    }

    /// Reads the numbers after the texture.
    fn flags(&mut self, properties: &mut Properties) -> Result<(), Error> {
        let mut names = FLAGS.into_iter();
        let mut extra = Vec::new();
        while let Some(Token::Word(word)) = self.lexer.peek()? {
            self.lexer.next()?;
            let text = std::str::from_utf8(word).ok();
            let whole = text.and_then(|text| text.parse::<i64>().ok()).map(Value::Int);
            let value = whole.or_else(|| number(word).map(Value::Float)).ok_or_else(|| {
                self.lexer.unexpected(Some(Token::Word(word)), "a number after a texture, a face or '}'")
            })?;
            match names.next() {
                Some(name) => properties.push(name, value),
                None => {
                    self.take()?;
                    extra.push(value);
                }
            }
        }
        if !extra.is_empty() {
            properties.push(EXTRA, extra);
        }
        Ok(())
    }
}
