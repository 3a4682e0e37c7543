//! The file of cases: objects of known keys. Answers that are known already may stand beside the questions and are passed over.

use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::{MapAccessDeserializer, StringDeserializer};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

/// A file of cases.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFile {
    /// Its format.
    pub format: String,
    /// What is asked.
    #[serde(deserialize_with = "objects")]
    pub cases: Vec<Case>,
}

/// Two posed meshes whose overlap is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its name.
    pub id: String,
    /// File of the first mesh.
    pub mesh_a: String,
    /// Factor on its vertices.
    #[serde(default = "unit_scale")]
    pub scale_a: f64,
    /// Where it stands.
    #[serde(deserialize_with = "object")]
    pub pose_a: CasePose,
    /// File of the second mesh.
    pub mesh_b: String,
    /// Factor on its vertices.
    #[serde(default = "unit_scale")]
    pub scale_b: f64,
    /// Where it stands.
    #[serde(deserialize_with = "object")]
    pub pose_b: CasePose,
}

fn unit_scale() -> f64 {
    1.0
}

/// A pose: world from mesh.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CasePose {
    /// Where the mesh's origin stands.
    pub position: [f64; 3],
    /// How it is turned: x, y, z, w of any length but zero.
    pub quaternion: [f64; 4],
}

/// Something that stands in a file as an object.
trait Object {
    /// Keys that say something about it without being asked for.
    const PASSED_OVER: &'static [&'static str] = &[];
}

impl Object for CaseFile {
    const PASSED_OVER: &'static [&'static str] = &["set", "count", "world", "see"];
}

impl Object for Case {
    const PASSED_OVER: &'static [&'static str] = &[
        "category",
        "tags",
        "triangles_a",
        "triangles_b",
        "length",
        "V",
        "centroid",
        "second_moment",
        "gradient_translation_A",
        "gradient_rotation_A",
        "gradient_smooth",
        "gradient_translation_range",
        "gradient_rotation_range",
        "area_a_in_b",
        "area_b_in_a",
        "coplanar_area",
        "components",
        "cavities",
        "oracle_error",
    ];
}

impl Object for CasePose {}

/// Reads a file of cases.
///
/// # Errors
/// The first place where it is not JSON, or not what a file of cases says there.
pub fn read(text: &[u8]) -> Result<CaseFile, serde_json::Error> {
    let mut from = serde_json::Deserializer::from_slice(text);
    let file = object(&mut from)?;
    from.end()?;
    Ok(file)
}

/// Reads an object. The derived readers take a list of its values too.
fn object<'de, T: Deserialize<'de> + Object, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    from.deserialize_map(ObjectOf(PhantomData))
}

/// Reads a list of objects.
fn objects<'de, T: Deserialize<'de> + Object, D: Deserializer<'de>>(from: D) -> Result<Vec<T>, D::Error> {
    Vec::<Entry<T>>::deserialize(from).map(|list| list.into_iter().map(|entry| entry.0).collect())
}

/// An object in a list.
struct Entry<T>(T);

impl<'de, T: Deserialize<'de> + Object> Deserialize<'de> for Entry<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        object(from).map(Self)
    }
}

struct ObjectOf<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de> + Object> Visitor<'de> for ObjectOf<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
        T::deserialize(MapAccessDeserializer::new(Asked { map, passed_over: T::PASSED_OVER }))
    }
}

/// The keys of an object without those that are passed over.
struct Asked<A> {
    map: A,
    passed_over: &'static [&'static str],
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Asked<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        while let Some(key) = self.map.next_key::<String>()? {
            if !self.passed_over.contains(&key.as_str()) {
                return seed.deserialize(StringDeserializer::new(key)).map(Some);
            }
            self.map.next_value::<IgnoredAny>()?;
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

#[cfg(test)]
mod tests {
    use tactum_geometry::json;

    use super::*;

    const POSE: &str = r#"{"position": [0, 0, 0], "quaternion": [0, 0, 0, 1]}"#;

    fn file(case: &str) -> String {
        format!("{{\"format\": \"f\", \"see\": \"README\", \"cases\": [\n{case}\n]}}")
    }

    #[test]
    fn known_answers_are_passed_over() {
        let case = format!(
            r#"{{"id": "a", "V": 1, "mesh_a": "m", "pose_a": {POSE}, "tags": {{"x": [1]}}, "mesh_b": "n", "scale_b": 2, "pose_b": {POSE}}}"#
        );
        let read = read(file(&case).as_bytes()).expect("a file of cases");
        assert_eq!((read.cases[0].scale_a, read.cases[0].scale_b), (1.0, 2.0));
    }

    #[test]
    fn what_is_no_case_is_refused_at_its_place() {
        let case = |pose: &str, more: &str| {
            format!(
                r#"{{"id": "a", "mesh_a": "m", "pose_a": {pose}, "mesh_b": "n", "pose_b": {POSE}{more}}}"#
            )
        };
        let unit = "[0, 0, 0, 1]";
        for (text, expected) in [
            (case(POSE, r#", "scal_a": 2"#), "line 2"),
            (case(POSE, r#", "scal_a": 2"#), "\"scal_a\" is unknown here, known are id, mesh_a, scale_a"),
            (case(&format!(r#"{{"position": [0, 0, 0], "quat": {unit}}}"#), ""), "\"quat\" is unknown here"),
            (case(&format!("[[0, 0, 0], {unit}]"), ""), "a list where an object is needed"),
            (format!(r#"["a", "m", 1, {POSE}, "n", 1, {POSE}]"#), "a list where an object is needed"),
            (case(POSE, r#", "id": "b""#), "the key \"id\" is there twice"),
            ("{}".to_owned(), "the key \"id\" is missing"),
            (case(r#"{"position": [0, 0], "quaternion": [0, 0, 0, 1]}"#, ""), "a list of 2"),
        ] {
            let error = read(file(&text).as_bytes()).expect_err("no case");
            let words = json::explained(&error);
            assert!(words.contains(expected), "{words} lacks {expected}");
        }
        let words = |text: &str| json::explained(&read(text.as_bytes()).expect_err("no file of cases"));
        assert!(words(r#"["f", []]"#).contains("a list where an object is needed"));
        assert!(words(r#"{"format": "f", "case": []}"#).contains("\"case\" is unknown here"));
        assert!(words(r#"{"format": "f", "cases": []} x"#).contains("more follows"));
    }
}
