//! A hash that is the same on every machine.

/// FNV-1a with 64 bits (Fowler, Noll and Vo 1991).
#[derive(Clone, Debug)]
pub struct Fnv(u64);

impl Fnv {
    /// The hash of nothing.
    pub fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Adds bytes.
    pub fn bytes(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.byte(byte));
    }

    /// Adds a text.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
        // Ends the text, so that two texts do not run into one another: no UTF-8 text holds this byte.
        self.byte(0xff);
    }

    /// Adds a number.
    pub fn word(&mut self, word: u64) {
        word.to_le_bytes().into_iter().for_each(|byte| self.byte(byte));
    }

    /// The hash.
    pub fn value(&self) -> u64 {
        self.0
    }

    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
}

/// A hash as 16 hexadecimal digits.
pub fn hex(hash: u64) -> String {
    format!("{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published value for "a", continued by the terminator.
    #[test]
    fn bytes_are_hashed_as_published() {
        let mut hash = Fnv::new();
        hash.byte(b'a');
        assert_eq!(hash.value(), 0xaf63_dc4c_8601_ec8c);
    }
}
