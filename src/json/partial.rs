//! An input that arrives in pieces of JSON, and its value so far.
//!
//! The value is what the AI SDK's `parsePartialJson` reads: strings as far as they are complete, literals completed,
//! numbers up to their last meaningful digit, members without a value omitted. A text that cannot become JSON has no
//! value. (The AI SDK then returns what came before the error, as long as nothing follows it.)

use alloc::string::String;
use alloc::vec::Vec;

use super::Value;
use serde_json::{Number, Value as Json};

/// Deeper containers are not read, as in `serde_json`.
const MAX_DEPTH: u32 = 128;

/// The pieces of an input that have arrived, and whether the input is plain text.
#[derive(Clone, Default, Debug)]
pub struct PartialInput {
    text: Option<String>,
    is_plain: bool,
}

impl PartialInput {
    pub(super) fn new(is_plain: bool) -> Self {
        Self { text: None, is_plain }
    }

    /// Appends a piece.
    pub(super) fn push(&mut self, piece: &str) {
        self.text.get_or_insert_default().push_str(piece);
    }

    /// Everything that has arrived; `None` before the first piece.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    /// The value so far.
    #[must_use]
    pub fn value(&self) -> Value {
        let text = self.text.as_deref().unwrap_or_default();
        if self.is_plain {
            return self.text.as_ref().map_or(Value::Undefined, |text| Value::text(text.as_str()));
        }
        let read = Reader { rest: text, depth: 0 }.value();
        read.ok().flatten().unwrap_or(Value::Undefined)
    }
}

/// The text cannot become JSON.
struct Invalid;

struct Reader<'a> {
    rest: &'a str,
    depth: u32,
}

impl Reader<'_> {
    /// The next value; `None` if the text ends before it has one.
    fn value(&mut self) -> Result<Option<Value>, Invalid> {
        match self.peek() {
            None => Ok(None),
            Some('{') => self.container(Self::members).map(Some),
            Some('[') => self.container(Self::items).map(Some),
            Some('"') => self.string().map(|(text, _)| Some(Value::text(text))),
            Some('-' | '0'..='9') => self.number(),
            Some(_) => self.literal().map(Some),
        }
    }

    fn container(&mut self, read: impl FnOnce(&mut Self) -> Result<Value, Invalid>) -> Result<Value, Invalid> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Invalid);
        }
        self.skip(1);
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn members(&mut self) -> Result<Value, Invalid> {
        let mut object = Value::of_entries(Vec::new());
        if self.takes('}') {
            return Ok(object);
        }
        loop {
            match self.peek() {
                None => return Ok(object),
                Some('"') => {}
                Some(_) => return Err(Invalid),
            }
            let (key, is_complete) = self.string()?;
            if !is_complete || self.peek().is_none() {
                return Ok(object);
            }
            if !self.takes(':') {
                return Err(Invalid);
            }
            let Some(value) = self.value()? else { return Ok(object) };
            object.put(&key, value);
            if self.ends('}')? {
                return Ok(object);
            }
        }
    }

    fn items(&mut self) -> Result<Value, Invalid> {
        let mut items = Vec::new();
        if self.takes(']') {
            return Ok(Value::list(items));
        }
        loop {
            let Some(item) = self.value()? else { return Ok(Value::list(items)) };
            items.push(item);
            if self.ends(']')? {
                return Ok(Value::list(items));
            }
        }
    }

    /// Whether a container ends here: with its bracket, or because the text ends. Otherwise a comma follows.
    fn ends(&mut self, bracket: char) -> Result<bool, Invalid> {
        if self.peek().is_none() || self.takes(bracket) {
            return Ok(true);
        }
        if self.takes(',') { Ok(false) } else { Err(Invalid) }
    }

    /// A string, and whether its closing quote has arrived.
    fn string(&mut self) -> Result<(String, bool), Invalid> {
        self.skip(1);
        let mut text = String::new();
        let mut high = None;
        loop {
            let Some(char) = self.rest.chars().next() else { return Ok((text, false)) };
            self.skip(char.len_utf8());
            match char {
                '"' => {
                    self.lone(&mut text, &mut high);
                    return Ok((text, true));
                }
                '\\' => match self.escape()? {
                    None => return Ok((text, false)),
                    Some(unit) => push_unit(&mut text, &mut high, unit),
                },
                '\0'..='\x1f' => return Err(Invalid),
                char => {
                    self.lone(&mut text, &mut high);
                    text.push(char);
                }
            }
        }
    }

    /// Adds the replacement character for half of a surrogate pair without its other half.
    fn lone(&self, text: &mut String, high: &mut Option<u16>) {
        if high.take().is_some() {
            text.push(char::REPLACEMENT_CHARACTER);
        }
    }

    /// The UTF-16 unit of an escape; `None` if the text ends within it.
    fn escape(&mut self) -> Result<Option<u16>, Invalid> {
        let Some(char) = self.rest.chars().next() else { return Ok(None) };
        self.skip(char.len_utf8());
        let unit = match char {
            '"' | '\\' | '/' => char as u16,
            'b' => 8,
            'f' => 12,
            'n' => 10,
            'r' => 13,
            't' => 9,
            'u' => {
                let digits = self.rest.get(..4);
                if digits.is_none() && self.rest.bytes().all(|byte| byte.is_ascii_hexdigit()) {
                    self.rest = "";
                    return Ok(None);
                }
                let unit = digits.and_then(|digits| u16::from_str_radix(digits, 16).ok()).ok_or(Invalid)?;
                self.skip(4);
                unit
            }
            _ => return Err(Invalid),
        };
        Ok(Some(unit))
    }

    /// A number up to its last meaningful digit.
    fn number(&mut self) -> Result<Option<Value>, Invalid> {
        let is_part = |char: char| char.is_ascii_digit() || matches!(char, '.' | 'e' | 'E' | '+' | '-');
        let end = self.rest.find(|char| !is_part(char)).unwrap_or(self.rest.len());
        let whole = &self.rest[..end];
        let is_over = end < self.rest.len();
        let number = (1..=end).rev().find_map(|end| whole[..end].parse::<Number>().ok().map(|number| (number, end)));
        self.skip(end);
        match number {
            Some((number, read)) if read == end || !is_over => Ok(Some(Value::Plain(Json::Number(number)))),
            None if !is_over => Ok(None),
            Some(_) | None => Err(Invalid),
        }
    }

    fn literal(&mut self) -> Result<Value, Invalid> {
        for (word, value) in [("true", Json::Bool(true)), ("false", Json::Bool(false)), ("null", Json::Null)] {
            if self.rest.starts_with(word) || word.starts_with(self.rest) {
                self.skip(word.len().min(self.rest.len()));
                return Ok(Value::Plain(value));
            }
        }
        Err(Invalid)
    }

    /// The next character after white space.
    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start_matches([' ', '\n', '\r', '\t']);
        self.rest.chars().next()
    }

    fn takes(&mut self, expected: char) -> bool {
        let is_next = self.peek() == Some(expected);
        if is_next {
            self.skip(1);
        }
        is_next
    }

    fn skip(&mut self, bytes: usize) {
        self.rest = self.rest.get(bytes..).unwrap_or_default();
    }
}

/// Appends a UTF-16 unit. `high`: the first half of a surrogate pair that waits for its second half.
fn push_unit(text: &mut String, high: &mut Option<u16>, unit: u16) {
    let units = high.take().into_iter().chain([unit]);
    for decoded in char::decode_utf16(units) {
        match decoded {
            Ok(char) => text.push(char),
            Err(lone) if lone.unpaired_surrogate() == unit && unit < 0xdc00 => *high = Some(unit),
            Err(_) => text.push(char::REPLACEMENT_CHARACTER),
        }
    }
}
