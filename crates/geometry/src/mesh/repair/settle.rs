//! Which way shells look, and what goes through what.

use std::collections::BTreeMap;

use super::bodies::Containers;
use super::report::{Doubt, Mend, MendKind, RepairError};
use super::shells::Shells;
use super::through::{Crossing, folded, overlapping};
use super::unite::{United, unite};
use super::work::{compact, grouped};
use crate::Aabb;
use crate::mesh::TriangleMesh;
use crate::mesh::weld::Joined;

/// Turns shells so that they look outward, and inward where they are cavities. What is doubtful about these.
pub fn turn_shells(shells: &mut Shells, containers: &Containers, mends: &mut Vec<Mend>) -> Option<Doubt> {
    let mut made: Vec<(f64, Aabb)> = Vec::new();
    let volumes: Vec<f64> = (0..shells.facets.len()).map(|shell| shells.volume(shell)).collect();
    for (shell, &volume) in volumes.iter().enumerate() {
        let is_cavity = containers.is_cavity(shell, &volumes);
        if volume == 0.0 || (volume < 0.0) == is_cavity {
            continue;
        }
        shells.turn(shell);
        let kind = if is_cavity { MendKind::Cavity } else { MendKind::TurnedShell };
        let aabb = shells.aabb(shell);
        let n = shells.facets[shell].len();
        mends.push(Mend { kind, n, at: aabb.center(), size: aabb.diagonal(), perimeter: None });
        if is_cavity {
            made.push((volume.abs(), aabb));
        }
    }
    let largest = made.iter().max_by(|a, b| a.0.total_cmp(&b.0));
    largest.map(|(_, aabb)| Doubt::Cavities {
        n: made.len(),
        at: aabb.center(),
        size: aabb.diagonal(),
        volume: made.iter().map(|(volume, _)| volume).sum(),
    })
}

/// Unites shells that go through each other or themselves, each with the cavities in it; with `apart` only what goes through itself. Folds that
/// are too small to matter are left where they cannot be united. What is doubtful about it.
///
/// # Errors
/// If that is not possible.
pub fn unite_crossing(
    shells: &Shells,
    crossing: Crossing,
    containers: &Containers,
    apart: bool,
    mends: &mut Vec<Mend>,
) -> Result<(TriangleMesh, Vec<Doubt>), RepairError> {
    let shell_of = shells.shell_of();
    let mut pairs = overlapping(&shells.mesh, crossing);
    if apart {
        pairs.retain(|[a, b]| shell_of[*a as usize] == shell_of[*b as usize]);
    }
    if pairs.is_empty() {
        return Ok((shells.mesh.clone(), Vec::new()));
    }
    let n = shells.facets.len();
    let volumes: Vec<f64> = (0..n).map(|shell| shells.volume(shell)).collect();
    let mut joined = Joined::new(n);
    pairs.iter().for_each(|[a, b]| joined.join(shell_of[*a as usize], shell_of[*b as usize]));
    for shell in 0..n {
        containers.host(shell, &volumes).into_iter().for_each(|host| joined.join(shell as u32, host));
    }
    let groups = grouped(n, |ix| joined.root(ix));
    let mut crossed: BTreeMap<u32, Vec<[u32; 2]>> = BTreeMap::new();
    for pair in pairs {
        crossed.entry(joined.root(shell_of[pair[0] as usize])).or_default().push(pair);
    }
    let (mut result, mut doubts) = (TriangleMesh::default(), Vec::new());
    for group in groups {
        let Some(pairs) = crossed.get(&joined.root(group[0])) else {
            append(&mut result, part(shells, &group));
            continue;
        };
        let corners = pairs.iter().flatten().flat_map(|&ix| shells.mesh.corners(ix as usize));
        let mend = Mend::of(MendKind::United, pairs.len(), corners);
        let (n, size, at) = (pairs.len(), mend.size, mend.at);
        let volume: f64 = group.iter().map(|&shell| volumes[shell as usize]).sum();
        match unite_group(shells, &group) {
            Ok(United { mesh, inverted }) => {
                append(&mut result, mesh);
                let counts = inverted > NEGLIGIBLE * volume;
                doubts.extend(counts.then_some(Doubt::Inverted { at, size, volume: inverted }));
                mends.push(mend);
            }
            Err(why) => {
                let folded = folded(&shells.mesh, pairs).filter(|folded| *folded <= NEGLIGIBLE * volume);
                let folded = folded.ok_or(RepairError::Crossed { n, size, at, why })?;
                append(&mut result, part(shells, &group));
                doubts.push(Doubt::Folds { n, at, size, volume: folded });
            }
        }
    }
    Ok((result, doubts))
}

/// Part of a body's volume that is no matter.
const NEGLIGIBLE: f64 = 1e-3;

/// Unites the shells of a group, all at once, or one after the other where three of them meet in a point and all are solid: what is
/// enclosed twice is once then, and a cavity would be one in both.
fn unite_group(shells: &Shells, group: &[u32]) -> Result<United, &'static str> {
    let all = unite(&part(shells, group));
    if all.is_ok() || group.len() < 3 || group.iter().any(|&shell| shells.volume(shell as usize) < 0.0) {
        return all;
    }
    let mut left: Vec<u32> = group[1..].to_vec();
    let mut united = United { mesh: part(shells, &group[..1]), inverted: 0.0 };
    while !left.is_empty() {
        let mut outcome = None;
        for (at, &shell) in left.iter().enumerate() {
            let mut both = Shells::of(&united.mesh).mesh;
            append(&mut both, part(shells, &[shell]));
            if let Ok(next) = unite(&both) {
                outcome = Some((at, next));
                break;
            }
        }
        let Some((at, next)) = outcome else { return all };
        united = United { inverted: united.inverted + next.inverted, ..next };
        left.remove(at);
    }
    Ok(united)
}

/// Some shells as a mesh of their own.
pub fn part(shells: &Shells, of: &[u32]) -> TriangleMesh {
    let mut facets: Vec<u32> = of.iter().flat_map(|&shell| &shells.facets[shell as usize]).copied().collect();
    facets.sort_unstable();
    let triangles = facets.iter().map(|&ix| shells.mesh.triangles[ix as usize]).collect();
    let mut mesh = TriangleMesh { vertices: shells.mesh.vertices.clone(), triangles };
    compact(&mut mesh);
    mesh
}

fn append(mesh: &mut TriangleMesh, other: TriangleMesh) {
    let n = mesh.vertices.len() as u32;
    mesh.vertices.extend(other.vertices);
    mesh.triangles.extend(other.triangles.into_iter().map(|corners| corners.map(|v| v + n)));
}

/// The bodies of a mesh: every shell that looks outward with the cavities in it.
///
/// # Errors
/// If there are too many within each other.
pub fn bodies(mesh: &TriangleMesh) -> Result<Vec<TriangleMesh>, RepairError> {
    let shells = Shells::of(mesh);
    let containers = shells.containers()?;
    let is_cavity: Vec<bool> = (0..shells.facets.len()).map(|ix| shells.volume(ix) < 0.0).collect();
    // Of the shells around a cavity the innermost is the one that lies in most others.
    let body_of = |ix: u32| {
        let solid = containers[ix as usize].iter().filter(|other| !is_cavity[**other as usize]);
        let innermost = solid.max_by_key(|other| containers[**other as usize].len());
        if is_cavity[ix as usize] { innermost.copied().unwrap_or(ix) } else { ix }
    };
    Ok(grouped(shells.facets.len(), body_of).iter().map(|group| part(&shells, group)).collect())
}
