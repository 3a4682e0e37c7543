//! What is known of a mesh file alone: `tactum check`.

use std::fmt;
use std::path::{Path, PathBuf};

use glam::DVec3;
use tactum_geometry::mesh::check::{Finding, Severity};
use tactum_geometry::mesh::{Checked, LoadError, MassMoments, load_checked};
use tactum_geometry::words;
use tactum_geometry::{Aabb, TriangleMesh};
use tactum_sim::BodyError;
use thiserror::Error;

use crate::build::{default_mass, doubt_of_units};
use crate::mesh_file::is_open;
use crate::shapes::{self, ShapeError};

/// The facts of a mesh that encloses a volume.
#[derive(Clone, Debug)]
pub struct MeshFacts {
    /// Number of triangles after cleaning.
    pub n_triangles: usize,
    /// Number of vertices after welding.
    pub n_vertices: usize,
    /// Number of parts that are connected through edges.
    pub n_shells: usize,
    /// Number of handles of all parts together; `None` where edges are shared by more than two triangles.
    pub genus: Option<usize>,
    /// Area of the surface \[m²\].
    pub area: f64,
    /// Box around the mesh \[m\].
    pub bounds: Aabb,
    /// Volume, centre and inertia for density one.
    pub mass: MassMoments,
    /// What was found.
    pub findings: Vec<Finding>,
}

/// Why a mesh file cannot be used.
#[derive(Debug, Error)]
pub enum DoctorError {
    /// It could not be read, or its mesh was refused.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// No body can be made of its mesh.
    #[error("{}: {error}", words::path(path))]
    Shape {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: ShapeError,
    },
    /// No body of its size can be moved.
    #[error("{}: {error}", words::path(path))]
    Body {
        /// The file.
        path: PathBuf,
        /// Why not.
        error: BodyError,
    },
}

impl DoctorError {
    /// Whether the mesh was refused for having a border.
    pub fn is_of_an_open_mesh(&self) -> bool {
        matches!(self, Self::Load(LoadError::Check { error, .. }) if error.defects.iter().any(is_open))
    }
}

/// Examines a mesh file, up to making a shape and a dynamic body of it as a scene does that says nothing of its mass.
///
/// # Errors
/// If it cannot be read, encloses no volume that could be computed, or no body can be made of it.
pub fn examine(path: &Path) -> Result<MeshFacts, DoctorError> {
    let Checked { mesh, findings, .. } = load_checked(path)?;
    let (_, mass) = shapes::of_mesh(mesh.clone(), &findings)
        .map_err(|error| DoctorError::Shape { path: path.to_owned(), error })?;
    check_movable(path, &mass).map_err(|error| DoctorError::Body { path: path.to_owned(), error })?;
    let corners = |ix: usize| mesh.corners(ix);
    let area = |[a, b, c]: [DVec3; 3]| 0.5 * (b - a).cross(c - a).length();
    let surface = Surface::of(&mesh);
    Ok(MeshFacts {
        n_triangles: mesh.triangles.len(),
        n_vertices: mesh.vertices.len(),
        n_shells: surface.n_shells,
        genus: surface.genus,
        area: (0..mesh.triangles.len()).map(|ix| area(corners(ix))).sum(),
        bounds: mesh.aabb(),
        mass,
        findings,
    })
}

/// Refuses volume, centre and inertia for density one, of the mesh of a file, with which no dynamic body can be moved.
///
/// # Errors
/// What of them is out of its range.
pub fn check_movable(path: &Path, unit: &MassMoments) -> Result<(), BodyError> {
    default_mass(unit).check(&words::quoted(&path.file_stem().unwrap_or_default().to_string_lossy()))
}

impl MeshFacts {
    /// What a user should be told without asking.
    pub fn warnings(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.severity() == Severity::Warning)
    }

    /// What to ask where a body of the mesh would be as large or heavy as hardly any part is, in words that follow its name.
    pub fn doubt_of_units(&self) -> Option<String> {
        let size = self.bounds.max - self.bounds.min;
        doubt_of_units(size.max_element(), default_mass(&self.mass).mass)
    }

    fn notes(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.severity() == Severity::Note)
    }
}

impl fmt::Display for MeshFacts {
    /// The facts and notes, one line each, without the warnings.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = words::counted(self.n_shells as u64, "part", "parts");
        let genus =
            self.genus.map_or_else(|| "genus not defined".to_owned(), |genus| format!("genus {genus}"));
        writeln!(
            f,
            "{:>10}  {} triangles, {} vertices, {parts}, {genus}",
            "mesh", self.n_triangles, self.n_vertices
        )?;
        writeln!(f, "{:>10}  {:.6e} m³", "volume", self.mass.volume)?;
        writeln!(f, "{:>10}  {:.6e} m²", "area", self.area)?;
        let size = self.bounds.max - self.bounds.min;
        writeln!(
            f,
            "{:>10}  {} m, from {} to {}",
            "size",
            words::vector(size),
            words::vector(self.bounds.min),
            words::vector(self.bounds.max)
        )?;
        writeln!(f, "{:>10}  {} m", "centre", words::vector(self.mass.center))?;
        let principal = self.mass.principal();
        writeln!(
            f,
            "{:>10}  {} kg m² about the principal axes at density 1",
            "inertia",
            words::vector(principal.moments)
        )?;
        let axes = [principal.axes.x_axis, principal.axes.y_axis, principal.axes.z_axis];
        writeln!(f, "{:>10}  {}, in the same order", "axes", axes.map(words::vector).join(", "))?;
        for note in self.notes() {
            writeln!(f, "{:>10}  {note}", "note")?;
        }
        Ok(())
    }
}

/// Connectivity of a closed mesh.
struct Surface {
    n_shells: usize,
    genus: Option<usize>,
}

impl Surface {
    /// Counts parts and handles. A vertex at which several fans of triangles meet counts once per fan, so that parts
    /// that touch in a point do not spoil the Euler characteristic.
    fn of(mesh: &TriangleMesh) -> Self {
        // One entry per side of a triangle: its ends in ascending order, and its corners at these ends.
        let mut sides: Vec<([u32; 2], [usize; 2])> = Vec::with_capacity(3 * mesh.triangles.len());
        for (ix, triangle) in mesh.triangles.iter().enumerate() {
            for side in 0..3 {
                let next = (side + 1) % 3;
                let (a, b) = (triangle[side], triangle[next]);
                let (here, there) = (3 * ix + side, 3 * ix + next);
                sides.push(if a < b { ([a, b], [here, there]) } else { ([b, a], [there, here]) });
            }
        }
        sides.sort_unstable();
        let mut fans = Groups::new(3 * mesh.triangles.len());
        let mut shells = Groups::new(mesh.triangles.len());
        let mut two_sided = true;
        for edge in sides.chunk_by(|a, b| a.0 == b.0) {
            two_sided &= edge.len() == 2;
            for pair in edge.windows(2) {
                shells.unite(pair[0].1[0] / 3, pair[1].1[0] / 3);
                fans.unite(pair[0].1[0], pair[1].1[0]);
                fans.unite(pair[0].1[1], pair[1].1[1]);
            }
        }
        let (n_shells, n_fans, n_faces) = (shells.count(), fans.count(), mesh.triangles.len());
        // Euler: vertices - edges + faces = 2 parts - 2 handles, with three halves of an edge per face.
        let genus = (2 * n_shells + n_faces / 2).checked_sub(n_fans).map(|twice| twice / 2);
        Self { n_shells, genus: genus.filter(|_| two_sided) }
    }
}

/// Disjoint sets of numbers (Tarjan 1975, with path halving).
struct Groups(Vec<usize>);

impl Groups {
    fn new(n: usize) -> Self {
        Self((0..n).collect())
    }

    fn root(&mut self, mut ix: usize) -> usize {
        while self.0[ix] != ix {
            self.0[ix] = self.0[self.0[ix]];
            ix = self.0[ix];
        }
        ix
    }

    fn unite(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }

    fn count(&self) -> usize {
        self.0.iter().enumerate().filter(|(ix, parent)| ix == *parent).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tactum_geometry::mesh::generate;

    fn counts(mesh: &TriangleMesh) -> (usize, Option<usize>) {
        let surface = Surface::of(mesh);
        (surface.n_shells, surface.genus)
    }

    #[test]
    fn parts_and_handles_of_known_surfaces() {
        let cube = generate::cuboid(DVec3::ONE, 12).expect("a cube");
        let torus = generate::torus(1.0, 0.3, 500).expect("a torus");
        assert_eq!(counts(&cube), (1, Some(0)));
        assert_eq!(counts(&torus), (1, Some(1)));
        let mut both = cube.clone();
        let n = both.vertices.len() as u32;
        both.vertices.extend(&torus.vertices);
        both.triangles.extend(torus.triangles.iter().map(|t| t.map(|v| v + n)));
        assert_eq!(counts(&both), (2, Some(1)));
    }

    /// Two tetrahedra that share one vertex are two parts without a handle.
    #[test]
    fn a_shared_corner_is_no_connection() {
        let mesh = TriangleMesh {
            vertices: vec![DVec3::ZERO; 7],
            triangles: vec![
                [0, 2, 1],
                [0, 1, 3],
                [1, 2, 3],
                [2, 0, 3],
                [3, 5, 4],
                [3, 4, 6],
                [4, 5, 6],
                [5, 3, 6],
            ],
        };
        assert_eq!(counts(&mesh), (2, Some(0)));
    }
}
