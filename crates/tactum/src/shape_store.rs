//! Shapes that are made once for all scenes that share them: those of a batch read and prepare a mesh file once, not once a run.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::mesh_file::load_as;
use crate::scene::schema::{MeshSpec, ShapeSpec};
use crate::shapes::{Prepared, ShapeError, prepare};

/// Shapes that are kept; where there are more, as of a sweep over sizes, those that are no run's at the time go.
const MOST: usize = 256;

/// Shapes that have been made, by what was asked for.
#[derive(Debug, Default)]
pub struct ShapeStore {
    made: Mutex<HashMap<String, Arc<[Prepared]>>>,
}

impl ShapeStore {
    /// A shape, or the shapes of the parts of a file that is split, as [`prepare`] makes them; made already or made now.
    ///
    /// # Errors
    /// As [`prepare`]; what cannot be made is tried again the next time.
    pub fn get(
        &self,
        spec: &ShapeSpec,
        resolve: impl Fn(&str) -> PathBuf,
    ) -> Result<Arc<[Prepared]>, ShapeError> {
        // Equal shapes are written equally, but for the sign of a zero, which no shape has. The number of parts is found here.
        let key = match spec {
            ShapeSpec::Mesh(mesh) => {
                format!("{:?} {:?}", MeshSpec { n_parts: None, ..mesh.clone() }, resolve(&mesh.file))
            }
            other => format!("{other:?}"),
        };
        if let Some(made) = self.made().get(&key) {
            return Ok(made.clone());
        }
        let prepared: Arc<[Prepared]> = prepare(spec, resolve)?.into();
        let mut made = self.made();
        if made.len() >= MOST {
            made.retain(|_, shapes| Arc::strong_count(shapes) > 1);
        }
        Ok(made.entry(key).or_insert(prepared).clone())
    }

    /// Number of bodies that the file of a shape is split into; none where it is not to be split, or cannot be.
    pub fn n_parts(&self, shape: &ShapeSpec, resolve: impl Fn(&str) -> PathBuf) -> Option<u32> {
        let ShapeSpec::Mesh(mesh) = shape else { return None };
        if !mesh.split {
            return None;
        }
        let n = match self.get(shape, &resolve) {
            Ok(parts) => parts.len(),
            // Parts of which no body can be made have names all the same.
            Err(_) => load_as(mesh, &resolve(&mesh.file)).ok()?.meshes.len(),
        };
        u32::try_from(n).ok()
    }

    fn made(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<[Prepared]>>> {
        // Whole entries are put in and taken out, whatever happens.
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ball(radius: f64) -> ShapeSpec {
        ShapeSpec::Sphere(radius)
    }

    #[test]
    fn equal_shapes_are_one_and_others_are_not() {
        let store = ShapeStore::default();
        let get = |radius: f64| store.get(&ball(radius), |file| file.into()).expect("a ball");
        let one = get(1.0);
        assert!(Arc::ptr_eq(&one, &get(1.0)));
        assert!(!Arc::ptr_eq(&one, &get(2.0)));
    }

    /// A smooth surface is made once for an angle; another angle has another one.
    #[test]
    fn smooth_surfaces_are_shared() {
        let store = ShapeStore::default();
        let spec = "generate = { critter = { length = 0.1, triangles = 300 } }";
        let spec: toml::Table = spec.parse().expect("it is TOML");
        let spec: ShapeSpec = spec.try_into().expect("it is a shape");
        let made = store.get(&spec, |file| file.into()).expect("a mesh");
        let [one, again, other] = [0.5, 0.5, 0.0].map(|angle| made[0].smooth_surface(angle));
        let (one, again) = (one.expect("it is smooth"), again.expect("it is smooth"));
        assert!(Arc::ptr_eq(&one, &again));
        assert!(other.is_none_or(|other| !Arc::ptr_eq(&one, &other)));
    }

    /// What nobody holds goes when there are too many; what somebody holds stays the one.
    #[test]
    fn shapes_that_nobody_holds_go() {
        let store = ShapeStore::default();
        let get = |radius: f64| store.get(&ball(radius), |file| file.into()).expect("a ball");
        let held = get(1.0);
        (2..=2 * MOST).for_each(|n| drop(get(n as f64)));
        assert!(store.made().len() <= MOST, "{}", store.made().len());
        assert!(Arc::ptr_eq(&held, &get(1.0)));
    }
}
