use glam::{DMat3, DVec2, DVec3};
use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};
use tactum_sim::ContactFrame;
use tactum_sim::solver::Vec6;
use tactum_sim::solver::frame::{center_of_pressure, in_plane, shift_twist, shift_wrench, spin_torque};

use crate::random::Rng;

fn na(v: DVec3) -> Vector3<f64> {
    Vector3::new(v.x, v.y, v.z)
}

fn na6(v: &Vec6) -> Vector6<f64> {
    Vector6::from_column_slice(&v.0)
}

/// `[[R, -R r^], [0, R]]` written out entry by entry.
fn adjoint(frame: &ContactFrame, r: DVec3) -> Matrix6<f64> {
    let c_from_w = frame.w_from_c.transpose();
    let rotation = Matrix3::from_fn(|i, j| c_from_w.col(j)[i]);
    let mut m = Matrix6::zeros();
    m.fixed_view_mut::<3, 3>(0, 0).copy_from(&rotation);
    m.fixed_view_mut::<3, 3>(0, 3).copy_from(&(-rotation * na(r).cross_matrix()));
    m.fixed_view_mut::<3, 3>(3, 3).copy_from(&rotation);
    m
}

fn random6(rng: &mut Rng) -> Vec6 {
    Vec6::from_parts(rng.vector(1.0), rng.vector(1.0))
}

#[test]
fn d6_01_center_of_pressure_of_a_wrench() {
    let wrench = Vec6([10.0, 0.0, 0.0, 0.0, 2.0, -3.0]);
    assert!((center_of_pressure(&wrench) - DVec2::new(0.3, 0.2)).length() < 1e-14);
}

#[test]
fn d6_02_a_wrench_moved_to_its_center_of_pressure_has_no_rolling_torque() {
    let wrench = Vec6([10.0, 0.0, 0.0, 0.0, 2.0, -3.0]);
    let moved = shift_wrench(&wrench, in_plane(center_of_pressure(&wrench)));
    assert!(moved[4].abs() < 1e-12 && moved[5].abs() < 1e-12);

    let mut rng = Rng::new(2);
    for _ in 0..rng.cases(100) {
        let wrench = random6(&mut rng);
        let r = rng.vector(2.0);
        let frame = ContactFrame::new(DVec3::ZERO, DVec3::X, [DVec3::Y, DVec3::Z]);
        let inverse = adjoint(&frame, r).transpose().try_inverse().unwrap() * na6(&wrench);
        // Numbers of order ten.
        assert!((na6(&shift_wrench(&wrench, r)) - inverse).norm() < 1e-12);
        // Power does not depend on the point.
        let twist = random6(&mut rng);
        let power = shift_wrench(&wrench, r).dot(&shift_twist(&twist, r));
        assert!((power - wrench.dot(&twist)).abs() < 1e-13);
        // The torque about the normal through x is that of the wrench moved to x.
        let x = rng.plane_vector(1.0);
        assert!((spin_torque(&wrench, x) - shift_wrench(&wrench, in_plane(x))[3]).abs() < 1e-14);
    }
}

/// The frame's twist, wrench and admittance against the products of 6 x 6 matrices they stand for.
#[test]
fn frame_operations_are_the_adjoint_products() {
    let mut rng = Rng::new(3);
    for _ in 0..rng.cases(100) {
        let frame = rng.frame();
        let (x, v, omega) = (rng.vector(3.0), rng.vector(1.0), rng.vector(1.0));
        let ad = adjoint(&frame, frame.point - x);
        let twist = frame.twist(x, v, omega);
        assert!((na6(&twist) - ad * na6(&Vec6::from_parts(v, omega))).norm() < 1e-13);

        let wrench = random6(&mut rng);
        let (force, torque) = frame.wrench_to_world(&wrench, x);
        assert!((na6(&Vec6::from_parts(force, torque)) - ad.transpose() * na6(&wrench)).norm() < 1e-13);
        let back = frame.wrench_from_world(force, torque, x);
        assert!((na6(&back) - na6(&wrench)).norm() < 1e-13);

        let r = rng.rotation();
        let inverse_inertia = r * DMat3::from_diagonal(DVec3::new(0.5, 2.0, 3.0)) * r.transpose();
        let mut inverse_mass = Matrix6::zeros();
        inverse_mass.fixed_view_mut::<3, 3>(0, 0).copy_from(&(Matrix3::identity() * 0.7));
        inverse_mass
            .fixed_view_mut::<3, 3>(3, 3)
            .copy_from(&Matrix3::from_fn(|i, j| inverse_inertia.col(j)[i]));
        let expected = ad * inverse_mass * ad.transpose();
        let found = frame.admittance(0.7, &inverse_inertia, x);
        // Entries up to about 100.
        assert!((Matrix6::from_fn(|i, j| found.0[i][j]) - expected).norm() < 1e-12);
        assert!((0..6).all(|i| (0..6).all(|j| found.0[i][j] == found.0[j][i])));
    }
}

#[test]
fn given_tangent_axes_are_used_as_they_are() {
    let u = DVec3::new(0.6, 0.8, 0.0);
    let frame = ContactFrame::new(DVec3::ZERO, DVec3::Z, [u, DVec3::Z.cross(u)]);
    assert_eq!(frame.w_from_c.to_cols_array_2d(), [[0.0, 0.0, 1.0], [0.6, 0.8, 0.0], [-0.8, 0.6, 0.0]]);
    assert_eq!(frame.to_contact(DVec3::Z), DVec3::X);
    assert_eq!(frame.to_contact(u).y, u.length_squared());
}

/// A frame with a pitch: the power of a wrench in a twist is the same in the world, and its admittance is that of the rows.
#[test]
fn a_screw_keeps_the_power() {
    let axes = [DVec3::new(0.0, 0.6, 0.8), DVec3::new(0.0, -0.8, 0.6)];
    let frame = ContactFrame::new(DVec3::new(0.3, -0.2, 0.5), axes[0].cross(axes[1]), axes).with_pitch(0.07);
    let (x, v, omega) = (DVec3::new(0.1, 0.4, -0.3), DVec3::new(1.0, -2.0, 0.5), DVec3::new(0.3, 0.9, -1.4));
    let wrench = Vec6([2.0, -0.7, 0.4, 0.3, -1.1, 0.6]);
    let (force, torque) = frame.wrench_to_world(&wrench, x);
    let power = force.dot(v) + torque.dot(omega);
    assert!((frame.twist(x, v, omega).dot(&wrench) - power).abs() < 1e-14);
    let back = frame.wrench_from_world(force, torque, x);
    assert!((back - wrench).length_squared().sqrt() < 1e-14);
    // The velocity that the wrench gives a body, seen from the frame again.
    let inverse_inertia = DMat3::from_diagonal(DVec3::new(2.0, 3.0, 5.0));
    let matrix = frame.admittance(0.5, &inverse_inertia, x);
    let given = frame.twist(x, 0.5 * force, inverse_inertia * torque);
    assert!((&matrix * wrench - given).length_squared().sqrt() < 1e-13);
}
