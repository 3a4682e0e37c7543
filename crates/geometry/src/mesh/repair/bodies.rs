//! Which shells make up one body: those that go through each other, and a solid with the cavities in it.

use super::report::RepairError;
use super::shells::Shells;
use super::through::Crossing;
use crate::mesh::TriangleMesh;
use crate::mesh::weld::Joined;

/// The bodies of a closed surface, whichever way its shells look.
pub struct Bodies {
    /// The shell of each facet.
    shell_of: Vec<u32>,
    /// The volume of each shell; negative where it looks inward.
    shells: Vec<f64>,
    /// Whether each shell is a cavity of its body.
    cavities: Vec<bool>,
    /// The body of each shell.
    body_of: Vec<u32>,
    /// The volume of each body.
    volumes: Vec<f64>,
}

impl Bodies {
    /// Takes a closed surface apart.
    ///
    /// # Errors
    /// If too much of it crosses, or too many shells lie within each other.
    pub fn of(mesh: &TriangleMesh) -> Result<Self, RepairError> {
        let shells = Shells::of(mesh);
        let n = shells.facets.len();
        let containers =
            if n > 1 { containers(&shells, &Crossing::of(&shells.mesh)?)? } else { Containers::alone(n) };
        let volumes: Vec<f64> = (0..n).map(|shell| shells.volume(shell)).collect();
        let body_of = containers.bodies(&volumes);
        let cavities: Vec<bool> = (0..n).map(|shell| containers.is_cavity(shell, &volumes)).collect();
        let mut of_bodies = vec![0.0; n];
        for shell in 0..n {
            let sign = if cavities[shell] { -1.0 } else { 1.0 };
            of_bodies[body_of[shell] as usize] += sign * volumes[shell].abs();
        }
        Ok(Self { shell_of: shells.shell_of(), shells: volumes, cavities, body_of, volumes: of_bodies })
    }

    /// Numbers that bodies have are below this.
    pub fn n(&self) -> usize {
        self.volumes.len()
    }

    /// The shell that a facet belongs to.
    pub fn shell(&self, facet: usize) -> u32 {
        self.shell_of[facet]
    }

    /// The body that a facet belongs to.
    pub fn body(&self, facet: usize) -> u32 {
        self.body_of[self.shell(facet) as usize]
    }

    /// 1 where the shell of a facet looks outward, as if nothing were around it, and -1 where inward.
    pub fn side(&self, facet: usize) -> f64 {
        self.shells[self.shell(facet) as usize].signum()
    }

    /// 1 where the shell of a facet looks out of the solid, and -1 where into it.
    pub fn side_of_solid(&self, facet: usize) -> f64 {
        let sign = if self.cavities[self.shell(facet) as usize] { -1.0 } else { 1.0 };
        sign * self.side(facet)
    }

    /// Whether a facet's shell looks inward and is no cavity, though another shell looks outward: not all of the surface is inside out.
    pub fn is_turned(&self, facet: usize) -> bool {
        let is_outward = |shell: usize| self.shells[shell] > 0.0 && !self.cavities[shell];
        self.side(facet) < 0.0 && self.side_of_solid(facet) < 0.0 && (0..self.shells.len()).any(is_outward)
    }

    /// The volume of a body, without its cavities.
    pub fn volume(&self, body: u32) -> f64 {
        self.volumes[body as usize]
    }

    /// The volume of all bodies.
    pub fn whole(&self) -> f64 {
        self.volumes.iter().sum()
    }
}

/// Which shells lie in which others, and which go through each other.
pub struct Containers {
    /// For each shell those that it lies in and does not go through, in ascending order.
    around: Vec<Vec<u32>>,
    /// Pairs that go through each other, both ways round, in ascending order.
    crossed: Vec<[u32; 2]>,
}

/// Looks which shells lie in which. One that goes through another one does not lie in it.
///
/// # Errors
/// If there are too many within each other.
pub fn containers(shells: &Shells, crossing: &Crossing) -> Result<Containers, RepairError> {
    let shell_of = shells.shell_of();
    let mut crossed: Vec<[u32; 2]> = crossing
        .all(&shells.mesh)
        .map(|pair| pair.map(|ix| shell_of[ix as usize]))
        .flat_map(|[a, b]| [[a, b], [b, a]])
        .collect();
    crossed.sort_unstable();
    crossed.dedup();
    let mut around = shells.containers()?;
    for (shell, around) in around.iter_mut().enumerate() {
        around.retain(|other| crossed.binary_search(&[shell as u32, *other]).is_err());
    }
    Ok(Containers { around, crossed })
}

impl Containers {
    /// Of shells of which none is in another one.
    fn alone(n: usize) -> Self {
        Self { around: vec![Vec::new(); n], crossed: Vec::new() }
    }

    /// Whether what a shell encloses is not solid, by the volumes of the shells as they look. It is in turn from the outside on, where shells
    /// that go through each other are as one around it. What goes through another one within a third, as a post through the wall of
    /// what it stands in, or the cavities of a part that is there twice, says by the way it looks, beside the outermost, which it is.
    pub fn is_cavity(&self, shell: usize, volumes: &[f64]) -> bool {
        let around = &self.around[shell];
        let n_around = |of: &&u32| self.around[**of as usize].len();
        match around.iter().min_by_key(n_around) {
            Some(&outermost) if self.goes_through_any(shell) => {
                volumes[shell] * volumes[outermost as usize] < 0.0
            }
            _ => self.n_layers(around) % 2 == 1,
        }
    }

    fn goes_through_any(&self, shell: usize) -> bool {
        self.crossed.binary_search_by_key(&(shell as u32), |pair| pair[0]).is_ok()
    }

    /// How many shells there are of some, those that go through each other taken as one.
    fn n_layers(&self, shells: &[u32]) -> usize {
        let mut joined = Joined::new(shells.len());
        for (k, &a) in shells.iter().enumerate() {
            for (j, &b) in shells[..k].iter().enumerate() {
                if self.crossed.binary_search(&[a, b]).is_ok() {
                    joined.join(k as u32, j as u32);
                }
            }
        }
        (0..shells.len() as u32).filter(|&k| joined.root(k) == k).count()
    }

    /// The shell that a cavity is in, the innermost of those around it; none for what is solid.
    pub fn host(&self, shell: usize, volumes: &[f64]) -> Option<u32> {
        // The innermost of the shells around it is the one that lies in most others.
        let innermost = || self.around[shell].iter().max_by_key(|other| self.around[**other as usize].len());
        if self.is_cavity(shell, volumes) { innermost().copied() } else { None }
    }

    /// For each shell the one that its body is named by.
    fn bodies(&self, volumes: &[f64]) -> Vec<u32> {
        let n = self.around.len();
        let mut joined = Joined::new(n);
        self.crossed.iter().for_each(|&[a, b]| joined.join(a, b));
        for shell in 0..n {
            self.host(shell, volumes).into_iter().for_each(|host| joined.join(shell as u32, host));
        }
        (0..n as u32).map(|shell| joined.root(shell)).collect()
    }
}
