//! Colours as scenes name them.

/// Names of colours and what they stand for, as style sheets of the web have them (CSS Color Module Level 4).
pub const NAMES: [(&str, u32); 24] = [
    ("black", 0x000000),
    ("gray", 0x808080),
    ("silver", 0xc0c0c0),
    ("white", 0xffffff),
    ("maroon", 0x800000),
    ("red", 0xff0000),
    ("brown", 0xa52a2a),
    ("orange", 0xffa500),
    ("gold", 0xffd700),
    ("yellow", 0xffff00),
    ("beige", 0xf5f5dc),
    ("tan", 0xd2b48c),
    ("olive", 0x808000),
    ("lime", 0x00ff00),
    ("green", 0x008000),
    ("teal", 0x008080),
    ("cyan", 0x00ffff),
    ("skyblue", 0x87ceeb),
    ("blue", 0x0000ff),
    ("navy", 0x000080),
    ("purple", 0x800080),
    ("violet", 0xee82ee),
    ("magenta", 0xff00ff),
    ("pink", 0xffc0cb),
];

/// Red, green and blue, 0 to 1 as a screen shows them (sRGB), of a name or of `#rrggbb`; `None` for what is neither.
pub fn rgb_of(color: &str) -> Option<[f32; 3]> {
    let code = match color.strip_prefix('#') {
        Some(digits) if digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()) => {
            u32::from_str_radix(digits, 16).ok()?
        }
        Some(_) => return None,
        None => NAMES.iter().find(|(name, _)| *name == color)?.1,
    };
    Some([16, 8, 0].map(|shift| (code >> shift & 255) as f32 / 255.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The description of the key lists them in this order.
    #[test]
    fn all_names_are_documented() {
        let names = NAMES.map(|(name, _)| name).join(", ");
        let words: Vec<&str> = include_str!("schema/body.rs")
            .split([' ', '\n'])
            .filter(|word| !matches!(*word, "" | "///"))
            .collect();
        assert!(words.join(" ").contains(&format!("a name: {names}. ")), "{names}");
    }

    #[test]
    fn colours_are_names_or_six_digits() {
        assert_eq!(rgb_of("#ff8000"), Some([1.0, 128.0 / 255.0, 0.0]));
        assert_eq!(rgb_of("#FF0000"), rgb_of("red"));
        for none in ["reddish", "#fff", "#ff80zz", "#+f8000", "", "#"] {
            assert_eq!(rgb_of(none), None, "{none}");
        }
    }
}
