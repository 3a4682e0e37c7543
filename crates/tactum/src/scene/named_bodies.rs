//! The bodies that one name stands for.

use std::collections::HashMap;
use std::ops::Range;

use super::names::Names;
use super::schema::BodySpec;

/// Finds the bodies that a name stands for: a body's own name, the name of a body with copies, or the beginning of names.
#[derive(Debug)]
pub struct NamedBodies<'a> {
    names: &'a Names,
    /// Where the copies of a body of this name are in the world.
    copies: HashMap<&'a str, Range<u32>>,
}

impl<'a> NamedBodies<'a> {
    /// For bodies whose names, copies included, are these.
    pub fn new(bodies: &'a [BodySpec], names: &'a Names) -> Self {
        let mut copies = HashMap::new();
        let mut first = 0_u32;
        for body in bodies {
            let end = first.saturating_add(u32::try_from(body.count()).unwrap_or(u32::MAX));
            if body.is_numbered() {
                copies.insert(body.name.as_str(), first..end);
            }
            first = end;
        }
        Self { names, copies }
    }

    /// Indices in the world of the bodies that a name stands for, ascending.
    pub fn meant_by(&self, name: &str) -> Vec<u32> {
        let mut meant: Vec<u32> = self.names.fitting(name).into_iter().map(|ix| ix as u32).collect();
        meant.extend(self.copies.get(name).into_iter().flat_map(Range::clone));
        meant.sort_unstable();
        meant.dedup();
        meant
    }

    /// The pairs of a body of the one name and another of the other, each with the smaller index first, some twice.
    pub fn pairs(&self, names: &[String; 2]) -> impl Iterator<Item = [u32; 2]> + use<> {
        let [of_a, of_b] = [0, 1].map(|ix| self.meant_by(&names[ix]));
        let with = move |a: u32| of_b.clone().into_iter().map(move |b| [a.min(b), a.max(b)]);
        of_a.into_iter().flat_map(with).filter(|[a, b]| a != b)
    }

    /// All names that stand for something, without those that end in "*".
    pub fn all(&self) -> Vec<&str> {
        self.names.all().into_iter().chain(self.copies.keys().copied()).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::scene::Scene;

    use super::*;

    #[test]
    fn a_name_stands_for_a_body_its_copies_or_names_that_begin_so() {
        let body = |name: &str, rest: &str| {
            format!("[[body]]\nname = \"{name}\"\nshape = {{ sphere = 1 }}\n{rest}\n")
        };
        let copies = "copies = { grid = [3, 1, 1], spacing = [3, 0, 0] }";
        let text = [body("a", ""), body("b", copies), body("b-lid", ""), body("b", "")].concat();
        let scene = Scene::parse(&text, Path::new("x.toml")).expect("a scene");
        let names = Names::new(scene.spec().expanded_names());
        let named = NamedBodies::new(&scene.spec().bodies, &names);
        for (name, meant) in [
            ("a", &[0][..]),
            ("b", &[1, 2, 3, 5]),
            ("b-1", &[2]),
            ("b-*", &[1, 2, 3, 4]),
            ("*", &[0, 1, 2, 3, 4, 5]),
            ("c", &[]),
        ] {
            assert_eq!(named.meant_by(name), meant, "{name}");
        }
        let pairs = |names: [&str; 2]| named.pairs(&names.map(str::to_owned)).collect::<Vec<_>>();
        assert_eq!(pairs(["b-1", "b-*"]), [[1, 2], [2, 3], [2, 4]]);
        assert!(pairs(["a", "a"]).is_empty());
    }
}
