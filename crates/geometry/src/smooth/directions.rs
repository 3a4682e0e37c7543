//! Which parts of a smooth surface may touch a plane that comes from a direction, looked up by the direction (Gauss 1827).
//!
//! The sphere of directions is an octahedron's, whose faces are divided into four again and again where many parts face.

use std::f64::consts::PI;

use glam::DVec3;

use super::parts::Part;

/// Largest number of parts of a cell that is not divided further.
const FEW: usize = 16;

/// Largest number of parts that are gone through one by one.
const MANY: usize = 64;

/// How often a cell may be divided: into some that are 0.7 degrees wide.
const DEEPEST: u32 = 7;

/// How many times as many parts as a cell lists those within it may, together: more only repeat what is wider than they are.
const REPEATED: f64 = 1.6;

/// For each direction the parts that may touch there, by their numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Directions {
    /// Those of the octahedron's faces first.
    cells: Vec<Cell>,
    listed: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Cell {
    /// Four cells from this number on: one at each corner, and the one between them.
    Divided(u32),
    /// These of those that are listed.
    Few(u32, u32),
    /// More than are worth a list.
    Many,
}

impl Directions {
    pub fn new<T: Part>(parts: &[T]) -> Self {
        let cones: Vec<Cone> = parts.iter().map(Cone::of).collect();
        let all: Vec<u32> = (0..parts.len() as u32).collect();
        let mut directions = Self { cells: vec![Cell::Many; 8], listed: Vec::new() };
        for octant in 0..8 {
            let sign = |axis: usize| if octant >> axis & 1 == 0 { 1.0 } else { -1.0 };
            let corners = [DVec3::X * sign(0), DVec3::Y * sign(1), DVec3::Z * sign(2)];
            let facing = facing(&all, parts, &cones, &corners);
            directions.fill(octant, &corners, &facing, (parts, &cones), 0);
        }
        directions
    }

    fn fill<T: Part>(
        &mut self,
        cell: usize,
        corners: &[DVec3; 3],
        list: &[u32],
        (parts, cones): (&[T], &[Cone]),
        depth: u32,
    ) {
        if list.len() > FEW && depth < DEEPEST {
            let quarters = quarters(corners);
            let lists = quarters.each_ref().map(|corners| facing(list, parts, cones, corners));
            let n_listed: usize = lists.iter().map(Vec::len).sum();
            if n_listed as f64 <= REPEATED * list.len() as f64 {
                let first = self.cells.len();
                self.cells[cell] = Cell::Divided(first as u32);
                self.cells.resize(first + 4, Cell::Many);
                for ((ix, corners), list) in (first..).zip(&quarters).zip(lists) {
                    self.fill(ix, corners, &list, (parts, cones), depth + 1);
                }
                return;
            }
        }
        if list.len() <= MANY {
            let first = self.listed.len() as u32;
            self.listed.extend(list);
            self.cells[cell] = Cell::Few(first, self.listed.len() as u32);
        }
    }

    /// The numbers of the parts that may touch planes from a direction, and of some more; `None` where they are too many to tell.
    pub fn facing(&self, toward: DVec3) -> Option<&[u32]> {
        let octant = (0..3).map(|axis| usize::from(toward[axis] < 0.0) << axis).sum::<usize>();
        let size = toward.abs();
        // How near it is to each of the cell's corners, one at a corner and zero on the side across.
        let mut near = size / size.element_sum();
        let mut cell = *self.cells.get(octant)?;
        while let Cell::Divided(first) = cell {
            let corner = (0..3).find(|&corner| near[corner] > 0.5);
            near = match corner {
                Some(corner) => {
                    let mut within = 2.0 * near;
                    within[corner] -= 1.0;
                    within
                }
                None => 1.0 - 2.0 * near,
            };
            cell = self.cells[first as usize + corner.unwrap_or(3)];
        }
        match cell {
            Cell::Few(first, end) => Some(&self.listed[first as usize..end as usize]),
            Cell::Many | Cell::Divided(_) => None,
        }
    }
}

/// Those of some parts that may touch planes from directions of a cell.
fn facing<T: Part>(list: &[u32], parts: &[T], cones: &[Cone], corners: &[DVec3; 3]) -> Vec<u32> {
    let cell = Cone::around(corners);
    let faces = |ix: &u32| cones[*ix as usize].meets(&cell) && parts[*ix as usize].faces(corners);
    list.iter().copied().filter(faces).collect()
}

/// Directions within an angle of an axis.
#[derive(Clone, Copy, Debug)]
struct Cone {
    axis: DVec3,
    cosine: f64,
    sine: f64,
}

impl Cone {
    /// All directions from which planes may touch a part.
    fn of<T: Part>(part: &T) -> Self {
        let axis = part.normals().iter().sum::<DVec3>().normalize_or_zero();
        let off = part.normals().iter().map(|n| n.angle_between(axis)).reduce(f64::max);
        Self::new(axis, off.map_or(PI, |off| off + part.aside()))
    }

    /// A cell: what lies between its corners is within the angle of these.
    fn around(corners: &[DVec3; 3]) -> Self {
        let axis = corners.iter().sum::<DVec3>().normalize_or_zero();
        let least = corners.iter().map(|corner| corner.dot(axis) / corner.length()).fold(1.0, f64::min);
        Self { axis, cosine: least, sine: (1.0 - least * least).max(0.0).sqrt() }
    }

    fn new(axis: DVec3, angle: f64) -> Self {
        let (sine, cosine) = angle.min(PI).sin_cos();
        Self { axis, cosine, sine }
    }

    /// Whether they share a direction. Together they have to be narrower than all directions: cells are, and parts that are not meet all.
    fn meets(&self, cell: &Self) -> bool {
        self.cosine <= -cell.cosine
            || self.axis.dot(cell.axis) >= self.cosine * cell.cosine - self.sine * cell.sine
    }
}

/// The cells of a cell in the plane of its corners: at each of these, and between the middles of its sides, each of which is across from the
/// corner of its number.
fn quarters([a, b, c]: &[DVec3; 3]) -> [[DVec3; 3]; 4] {
    let [ab, bc, ca] = [0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)];
    [[*a, ab, ca], [ab, *b, bc], [ca, bc, *c], [bc, ca, ab]]
}
