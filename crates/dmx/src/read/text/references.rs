//! References to elements, which can follow later in the text.

use hashbrown::HashMap;

use super::lexer::{Lexeme, Span, Token};
use super::{Failure, Parser, Trace, intern};
use crate::{ElementId, Guid, Reference, StringId, Value};

impl<'a, T: Trace> Parser<'a, '_, T> {
    /// Reads a reference by identity.
    pub(super) fn reference(&mut self, text: Lexeme<'a>) -> Result<Reference, Failure> {
        if text.text.is_empty() {
            return Ok(Reference::Null);
        }
        let place = StringId::at(self.identities.len());
        self.counted(text.span.start, |parser| parser.memory.push(&mut parser.identities, text))?;
        Ok(Reference::External(place))
    }

    /// Adds the element that repeats the prefix attributes, and resolves references, when everything was read.
    pub(super) fn finish(&mut self) -> Result<(), Failure> {
        if let (Some(id), Some(block)) = (self.copy, self.prefix.first().cloned()) {
            let class = Lexeme { token: Token::Text(false), span: Span::default(), text: self.copy_class };
            let class_id = self.string(class)?;
            let copy = self.element(class_id, class.span)?;
            if let Some(element) = self.elements.get_mut(copy.index()) {
                (element.id, element.attributes) = (Some(id), block);
            }
        }
        // A hash table is up to twice as large as its contents.
        let end = self.lexer.source().len();
        let ids = self.elements.iter().filter(|element| element.id.is_some()).count();
        self.counted(end, |parser| parser.memory.spend(ids.saturating_mul(size_of::<[(Guid, ElementId); 3]>())))?;
        let mut known = HashMap::with_capacity(ids);
        for (index, element) in self.elements.iter().enumerate() {
            if let Some(id) = element.id {
                known.entry(id).or_insert(ElementId::at(index));
            }
        }
        let (strings, memory, identities) = (&mut self.strings, &mut self.memory, &self.identities);
        let mut resolve = |reference: &mut Reference| -> Result<(), Failure> {
            let Reference::External(place) = *reference else { return Ok(()) };
            let Some(&text) = identities.get(place.index()) else { return Ok(()) };
            let element = Guid::from_text(text.text).ok().and_then(|id| known.get(&id));
            *reference = match element {
                Some(&element) => Reference::Element(element),
                None => Reference::External(intern(strings, memory, text)?),
            };
            Ok(())
        };
        let attributes = self.elements.iter_mut().flat_map(|element| &mut element.attributes);
        for attribute in attributes.chain(self.prefix.iter_mut().flatten()) {
            match &mut attribute.value {
                Value::Element(reference) => resolve(reference)?,
                Value::ElementArray(references) => references.iter_mut().try_for_each(&mut resolve)?,
                _ => {}
            }
        }
        Ok(())
    }
}
