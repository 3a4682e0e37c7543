//! Names of bodies, joints and groups.

use std::collections::HashSet;
use std::iter::repeat_n;

use super::colour::rgb_of;
use super::schema::{BodySpec, PlacedSpec, SceneSpec, ShapeSpec};

/// Names in order, for finding one among very many.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// Each name with its place in the list it came from.
    sorted: Vec<(String, usize)>,
}

impl Names {
    /// The names of a list.
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        let mut sorted: Vec<(String, usize)> =
            names.into_iter().enumerate().map(|(ix, name)| (name, ix)).collect();
        sorted.sort_unstable();
        Self { sorted }
    }

    /// Place of a name in the list; the first one, if it is there more than once.
    pub fn find(&self, name: &str) -> Option<usize> {
        let (found, ix) = self.sorted.get(self.sorted.partition_point(|(known, _)| known.as_str() < name))?;
        (found == name).then_some(*ix)
    }

    /// The name at a place of the list.
    pub fn name(&self, ix: usize) -> &str {
        let found = self.sorted.iter().find(|(_, place)| *place == ix);
        found.map_or("", |(name, _)| name)
    }

    /// Whether a pattern fits any name, as [`matches()`] says.
    pub fn fit(&self, pattern: &str) -> bool {
        let Some(prefix) = pattern.strip_suffix('*') else { return self.find(pattern).is_some() };
        let first = self.sorted.partition_point(|(known, _)| known.as_str() < prefix);
        self.sorted.get(first).is_some_and(|(known, _)| known.starts_with(prefix))
    }

    /// Places of the names that a pattern fits, as [`matches()`] says.
    pub fn fitting(&self, pattern: &str) -> Vec<usize> {
        let prefix = pattern.strip_suffix('*').unwrap_or(pattern);
        let first = self.sorted.partition_point(|(known, _)| known.as_str() < prefix);
        let begin_so = self.sorted[first..].iter().take_while(|(known, _)| known.starts_with(prefix));
        begin_so.filter(|(known, _)| matches(pattern, known)).map(|&(_, ix)| ix).collect()
    }

    /// Names that are taken: place of each later one, of the first one, and the name, in the order of the list.
    pub fn taken(&self) -> Vec<(usize, usize, &str)> {
        let mut taken = Vec::new();
        for same in self.sorted.chunk_by(|(a, _), (b, _)| a == b) {
            let (name, first) = &same[0];
            taken.extend(same[1..].iter().map(|&(_, later)| (later, *first, name.as_str())));
        }
        taken.sort_unstable();
        taken
    }

    /// All names, in alphabetical order.
    pub fn all(&self) -> Vec<&str> {
        self.sorted.iter().map(|(name, _)| name.as_str()).collect()
    }
}

impl SceneSpec {
    /// Names of all groups, in the order of their first mention by a body that belongs to them.
    pub fn group_names(&self) -> Vec<&str> {
        let mut seen = HashSet::new();
        let mentioned = self.bodies.iter().flat_map(|body| &body.groups).map(String::as_str);
        mentioned.filter(|name| seen.insert(*name)).collect()
    }

    /// Names of all bodies, copies included, in the order of their indices in the world.
    pub fn expanded_names(&self) -> Vec<String> {
        self.bodies.iter().flat_map(BodySpec::expanded_names).collect()
    }

    /// The colour that each body asks for, copies included, in the order of their indices in the world, see [`rgb_of`].
    pub fn expanded_colors(&self) -> Vec<Option<[f32; 3]>> {
        let of_body = |body: &BodySpec| repeat_n(body.rgb(), body.expanded_names().len());
        self.bodies.iter().flat_map(of_body).collect()
    }
}

impl BodySpec {
    /// The colour that it asks for, red, green and blue from 0 to 1 (sRGB).
    pub fn rgb(&self) -> Option<[f32; 3]> {
        self.color.as_deref().and_then(rgb_of)
    }

    /// Whether it stands for numbered bodies: copies, or the parts of a file.
    pub fn is_numbered(&self) -> bool {
        self.copies.is_some() || self.placed.is_some() || self.shape.n_split().is_some()
    }

    /// Number of bodies this stands for, without rounding: larger than any memory is allowed. The parts of a file that is split count
    /// for each copy.
    pub fn count(&self) -> u128 {
        // The product of four 32-bit numbers fits into 128 bits.
        let copies = match (&self.placed, &self.copies) {
            (Some(placed), _) => placed.len() as u128,
            (None, Some(copies)) => copies.grid.iter().map(|&n| u128::from(n)).product(),
            (None, None) => 1,
        };
        copies * u128::from(self.shape.n_split().unwrap_or(1))
    }

    /// What it says of each of the bodies that it stands for, with the name and the copies of all: of a file that is split, each takes its
    /// part.
    pub fn expanded(&self) -> impl Iterator<Item = Self> {
        let n = usize::try_from(self.count()).unwrap_or(usize::MAX);
        repeat_n(self, n).enumerate().map(|(ix, body)| {
            let mut body = body.clone();
            if let ShapeSpec::Mesh(mesh) = &mut body.shape
                && mesh.split
            {
                mesh.part = u32::try_from(ix).ok().zip(mesh.n_parts).map(|(ix, n)| ix % n);
                mesh.split = false;
            }
            body
        })
    }

    /// The body's name, or those of its copies and parts.
    pub fn expanded_names(&self) -> Vec<String> {
        if let Some(placed) = &self.placed {
            let parts: Vec<String> = match self.shape.n_split() {
                Some(n) => (0..n).map(|part| format!("-{part}")).collect(),
                None => vec![String::new()],
            };
            let of_row = |row: &PlacedSpec| format!("{}-{}", self.name, row.name);
            return placed.iter().flat_map(|row| parts.iter().map(move |part| of_row(row) + part)).collect();
        }
        if self.is_numbered() {
            (0..self.count()).map(|ix| format!("{}-{ix}", self.name)).collect()
        } else {
            vec![self.name.clone()]
        }
    }
}

/// Whether a name fits a pattern: the pattern itself, or any name that begins with what stands before a final `*`.
pub fn matches(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => pattern == name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ordered names answer as a look at each of them does.
    #[test]
    fn ordered_names_are_found_as_one_by_one() {
        let list = ["b", "a-1", "a", "b", "a-10", "ä", "", "a-2", "a-"];
        let names = Names::new(list.map(str::to_owned));
        for pattern in ["", "*", "a", "a*", "a-*", "a-1*", "b", "c", "c*", "ä*", "z*", "a-3", "**"] {
            assert_eq!(names.fit(pattern), list.iter().any(|name| matches(pattern, name)), "{pattern}");
            let fitting = list.iter().enumerate().filter(|(_, name)| matches(pattern, name));
            let mut found = names.fitting(pattern);
            found.sort_unstable();
            assert_eq!(found, fitting.map(|(ix, _)| ix).collect::<Vec<_>>(), "{pattern}");
            assert_eq!(names.find(pattern), list.iter().position(|name| *name == pattern), "{pattern}");
        }
        assert_eq!(names.taken(), [(3, 0, "b")]);
        assert!(!Names::default().fit("*"));
    }
}
