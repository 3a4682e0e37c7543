//! Numbers in messages.

use std::fmt;

use glam::DVec3;

/// A number with the digits that help to recognise it: short, however large or small it is.
pub struct Number(pub f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let x = self.0;
        if x == 0.0 || (1e-3..1e6).contains(&x.abs()) { write!(f, "{x:.4}") } else { write!(f, "{x:.4e}") }
    }
}

/// A position in a message.
pub struct Point(pub DVec3);

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}, {})", Number(self.0.x), Number(self.0.y), Number(self.0.z))
    }
}
