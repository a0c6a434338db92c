//! What the text formats share: numbered lines and whole numbers.

/// A text without the byte order mark that some editors put before it.
pub(crate) fn strip_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// The lines of a text without spaces and line ends behind them, and without blank last lines.
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    ended: bool,
    /// Number of the line given last, from 1 (0 before the first).
    pub(crate) number: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        let rest = strip_mark(text).trim_ascii_end();
        Self { rest, ended: rest.is_empty(), number: 0 }
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.ended {
            return None;
        }
        self.number += 1;
        let line = match self.rest.iter().position(|&b| b == b'\n') {
            Some(end) => {
                let line = &self.rest[..end];
                self.rest = &self.rest[end + 1..];
                line
            }
            None => {
                self.ended = true;
                std::mem::take(&mut self.rest)
            }
        };
        Some(line.trim_ascii_end())
    }
}

/// A number of one to nine digits and nothing else.
pub(crate) fn parse_count(digits: &[u8]) -> Option<usize> {
    if digits.is_empty() || digits.len() > 9 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(digits.iter().fold(0, |n, d| n * 10 + usize::from(d - b'0')))
}
