use glam::{DVec2, DVec3};
use tactum_sim::SpinRule;
use tactum_sim::contact::ContactPatch;
use tactum_sim::contact::frame::{center_of_pressure, normal_velocity_gradient};
use tactum_sim::solver::local::{project, solve_cone};

use crate::random::{self, Rng};

#[test]
fn d6_29_cone_block_is_exact_on_random_blocks() {
    let mut rng = Rng(28);
    let (mut n_steps, mut worst_steps, mut n_open) = (0, 0, 0);
    let mut gaps = Vec::new();
    for ix in 0..3000 {
        let random::Case { block, e, friction, size } = random::case(&mut rng);
        let patch =
            if ix % 2 == 0 { random::ellipse(&mut rng, size) } else { random::polygon(&mut rng, size) };
        let solution = solve_cone(&block, &e, &patch, friction, SpinRule::Uniform);
        let l = solution.impulse;
        let y = e + block.matrix() * l;
        let context = || format!("case {ix}: {solution:?} {y:?} {friction} {patch:?}");
        assert!(solution.residual <= 1e-12, "{}", context());
        n_steps += solution.steps;
        worst_steps = worst_steps.max(solution.steps);

        let gradient = normal_velocity_gradient(&y);
        let lowest = y[0] + gradient.dot(patch.lowest(gradient));
        assert!(lowest >= -1e-9 * size, "{lowest} {}", context());
        if l[0] == 0.0 {
            n_open += 1;
            continue;
        }
        let x = center_of_pressure(&l);
        assert!(patch.nearest(x).distance(x) <= 1e-9 * size, "{}", context());
        // The impulse pushes where nothing moves: at its centre of pressure.
        assert!((y[0] + gradient.dot(x)).abs() <= 1e-9 * size, "{}", context());
        // Slip, in the ellipsoid's metric, is opposite to friction and friction then at its limit.
        let radius = patch.spin_radius(SpinRule::Uniform, DVec2::ZERO);
        let slip = DVec3::new(y[1], y[2], y[3] * radius);
        let f = DVec3::new(l[1], l[2], l[3] / radius);
        assert!(f.length() <= friction * l[0] * (1.0 + 1e-10), "{}", context());
        let power = slip.dot(f) + slip.length() * friction * l[0];
        assert!(power.abs() <= 1e-8 * l[0] * size, "{power} {}", context());
        let simple = project(&block, &e, &patch, friction, SpinRule::Uniform);
        gaps.push((simple[0] - l[0]).abs() / l[0]);
    }
    gaps.sort_by(f64::total_cmp);
    println!(
        "{:.1} steps on average, {worst_steps} at most; {n_open} open; normal force of the projection off by {:.2e} (median), {:.2e} (90 %)",
        f64::from(n_steps) / 3000.0,
        gaps[gaps.len() / 2],
        gaps[gaps.len() * 9 / 10]
    );
}

/// Where no limit is met the cone block is the rigid joint, as the projection is.
#[test]
fn cone_block_and_projection_agree_without_limits() {
    let mut rng = Rng(34);
    for _ in 0..200 {
        let case = random::case(&mut rng);
        let patch = ContactPatch::ellipse(10.0 * case.size, 10.0 * case.size);
        let simple = project(&case.block, &case.e, &patch, 10.0, SpinRule::Uniform);
        if simple[0] <= 0.0 || !patch.contains(center_of_pressure(&simple) * 2.0) {
            continue;
        }
        if simple[1].hypot(simple[2]).max(simple[3].abs() / case.size) > 5.0 * simple[0] {
            continue;
        }
        let exact = solve_cone(&case.block, &case.e, &patch, 10.0, SpinRule::Uniform).impulse;
        let difference = simple - exact;
        let scale = simple.linear().length() + simple.angular().length() / case.size;
        let gap = difference.linear().length() + difference.angular().length() / case.size;
        assert!(gap <= 1e-7 * scale, "{simple:?} {exact:?}");
    }
}
