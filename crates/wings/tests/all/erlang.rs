//! Parses terms in Erlang's syntax. Names in capitals refer to terms that are defined elsewhere. Panics on any other input.

use std::collections::HashMap;

use mapwright_etf::{Builder, Tree, WriterProfile};

/// Names with their definitions.
pub(crate) type Names = HashMap<&'static str, &'static str>;

/// Parses a term.
pub(crate) fn term(text: &str, names: &Names) -> Tree {
    let mut builder = Builder::new(WriterProfile::Otp17);
    let mut parser = Parser { rest: text, names, builder: &mut builder };
    parser.term();
    assert_eq!(parser.rest, "", "after a term of {text}");
    builder.finish().unwrap_or_else(|error| panic!("{text}: {error}"))
}

struct Parser<'a> {
    rest: &'a str,
    names: &'a Names,
    builder: &'a mut Builder,
}

impl<'a> Parser<'a> {
    fn term(&mut self) {
        let first = self.rest.chars().next().expect("a term");
        match first {
            '{' => {
                let arity = self.arity();
                self.builder.tuple(arity);
                self.eat("{");
                self.elements("}");
            }
            '[' => {
                self.eat("[");
                self.builder.begin_list();
                if self.elements("]") {
                    self.builder.end_list();
                } else {
                    self.term();
                    self.builder.end_improper_list();
                    self.eat("]");
                }
            }
            '"' => {
                let text = self.quoted('"');
                self.builder.text(text);
            }
            '\'' => {
                let name = self.quoted('\'');
                self.builder.atom(name);
            }
            '<' => self.binary(),
            'a'..='z' => {
                let name = self.word();
                self.builder.atom(name);
            }
            'A'..='Z' => {
                let name = self.word();
                let text = self.names.get(name).unwrap_or_else(|| panic!("what is {name}?"));
                let tree = term(text, self.names);
                self.builder.copy(tree.root());
            }
            _ => self.number(),
        }
    }

    /// Parses terms up to the closing mark. Returns `false` if they end at the bar of an improper list.
    fn elements(&mut self, close: &str) -> bool {
        while !self.rest.starts_with(close) {
            self.term();
            if self.rest.starts_with('|') {
                self.eat("|");
                return false;
            }
            self.rest = self.rest.strip_prefix(',').unwrap_or(self.rest);
        }
        self.eat(close);
        true
    }

    /// Returns the number of elements of the tuple that begins here.
    fn arity(&self) -> usize {
        let (mut depth, mut commas) = (0, 0);
        for (index, mark) in self.rest.char_indices() {
            match mark {
                '{' | '[' | '<' => depth += 1,
                '}' | ']' | '>' => depth -= 1,
                ',' if depth == 1 => commas += 1,
                _ => {}
            }
            if depth == 0 {
                return if index == 1 { 0 } else { commas + 1 };
            }
        }
        panic!("a tuple does not end: {}", self.rest)
    }

    /// `<<1,2>>`.
    fn binary(&mut self) {
        let end = self.rest.find(">>").expect("the end of a binary");
        let bytes = self.rest[2..end].split_terminator(',').map(|byte| byte.parse().expect("a byte"));
        self.builder.binary(&bytes.collect::<Vec<u8>>());
        self.rest = &self.rest[end + 2..];
    }

    fn number(&mut self) {
        let end = self.rest.find(|mark: char| !matches!(mark, '0'..='9' | '-' | '.' | 'e' | '+'));
        let (number, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        if number.contains('.') {
            self.builder.float(number.parse().expect("a float"));
        } else {
            let digits = number.strip_prefix('-').unwrap_or(number);
            let mut magnitude = vec![0_u8];
            for digit in digits.chars() {
                let mut carry = digit.to_digit(10).unwrap_or_else(|| panic!("a number: {number}{rest}"));
                for byte in &mut magnitude {
                    carry += u32::from(*byte) * 10;
                    *byte = carry.to_le_bytes()[0];
                    carry >>= 8;
                }
                magnitude.extend(u8::try_from(carry).ok().filter(|carry| *carry > 0));
            }
            self.builder.big(number.starts_with('-'), &magnitude);
        }
    }

    fn word(&mut self) -> &'a str {
        let end = self.rest.find(|mark: char| !mark.is_ascii_alphanumeric() && mark != '_');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word
    }

    fn quoted(&mut self, mark: char) -> &'a str {
        let (text, rest) = self.rest[1..].split_once(mark).expect("the end of a quotation");
        self.rest = rest;
        text
    }

    fn eat(&mut self, mark: &str) {
        self.rest = self.rest.strip_prefix(mark).unwrap_or_else(|| panic!("{mark} expected at {}", self.rest));
    }
}
