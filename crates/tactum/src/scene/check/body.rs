//! Whether a body makes sense.

use glam::{DMat3, DVec3};
use tactum_geometry::quantity::Range;

use super::checker::Checker;
use super::over_time::check_motion;
use crate::scene::fault::Fault;
use crate::scene::key_path::KeyPath;
use crate::scene::schema::{
    BodySpec, CenterChoice, CenterSpec, CopiesSpec, KindSpec, MeshSpec, OrientationSpec, RepairChoice,
    ScaleSpec, ShapeSpec,
};

/// Checks one `[[body]]`.
pub fn check_body(check: &mut Checker, at: &KeyPath, body: &BodySpec) {
    check_shape(check, &at.key("shape"), body);
    check.vector(&at.key("position"), body.position, "m");
    check_orientation(check, &at.key("orientation"), body.orientation);
    check_velocities(check, at, body);
    check_mass(check, at, body);
    check.within(&at.key("smooth_deg"), body.smooth_deg, Range::between(0.0, 90.0), "degrees");
    if let Some(friction) = body.friction {
        check.not_negative(&at.key("friction"), friction, "");
    }
    if let Some(motion) = &body.motion {
        check_motion(check, &at.key("motion"), body, motion);
    }
    if let Some(copies) = &body.copies {
        check_copies(check, &at.key("copies"), copies);
    }
}

fn check_shape(check: &mut Checker, at: &KeyPath, body: &BodySpec) {
    match &body.shape {
        ShapeSpec::Box(sides) => {
            for (ix, &side) in sides.iter().enumerate() {
                check.positive(&at.key("box").ix(ix), side, "m");
            }
        }
        ShapeSpec::Sphere(radius) => {
            check.positive(&at.key("sphere"), *radius, "m");
        }
        ShapeSpec::Capsule(capsule) => {
            check.positive(&at.key("capsule").key("radius"), capsule.radius, "m");
            check.positive(&at.key("capsule").key("length"), capsule.length, "m");
        }
        ShapeSpec::Cylinder(cylinder) => {
            check.positive(&at.key("cylinder").key("radius"), cylinder.radius, "m");
            check.positive(&at.key("cylinder").key("height"), cylinder.height, "m");
        }
        ShapeSpec::Cone(cone) => {
            check.positive(&at.key("cone").key("radius"), cone.radius, "m");
            check.positive(&at.key("cone").key("height"), cone.height, "m");
        }
        ShapeSpec::Plane(_) if body.kind != KindSpec::Static => {
            let message = format!("the plane '{}' has no finite mass, so it cannot move", body.name);
            check.refuse(at, Fault::error(message, "a plane").with_help("give the body kind = \"static\""));
        }
        // A generator checks its own measures, which hang together.
        ShapeSpec::Plane(_) | ShapeSpec::Generate(_) => {}
        ShapeSpec::Mesh(mesh) => check_mesh(check, &at.key("mesh"), body, mesh),
    }
}

fn check_mesh(check: &mut Checker, at: &KeyPath, body: &BodySpec, mesh: &MeshSpec) {
    match mesh.scale {
        ScaleSpec::Even(factor) => {
            check.positive(&at.key("scale"), factor, "");
        }
        ScaleSpec::Axes(factors) => {
            for (ix, factor) in factors.into_iter().enumerate() {
                check.positive(&at.key("scale").ix(ix), factor, "");
            }
        }
    }
    check_orientation(check, &at.key("rotate"), mesh.rotate);
    if let RepairChoice::With(repair) = &mesh.repair {
        let at = at.key("repair");
        for (key, value) in [("tolerance", repair.tolerance), ("max_hole", repair.max_hole)] {
            if let Some(value) = value {
                check.positive(&at.key(key), value, "");
            }
        }
    }
    let exclude = |check: &mut Checker, key: &str, other: &str, why: &str| {
        let message = format!("the mesh of '{}' has both {key} and {other}", body.name);
        check.refuse(&at.key(key), Fault::error(message, "one of the two").with_help(why));
    };
    if mesh.split && mesh.union {
        exclude(
            check,
            "split",
            "union",
            "split makes each part a body of its own, union makes all parts one",
        );
    }
    if mesh.split && mesh.part.is_some() {
        exclude(
            check,
            "part",
            "split",
            "split makes each part a body of its own, part takes one of them alone",
        );
    }
    if let Some(depth) = mesh.ground_depth {
        check.positive(&at.key("ground_depth"), depth, "m");
        check_sheet(check, at, body, mesh, "ground_depth");
        if body.kind != KindSpec::Static {
            let message = format!("the ground '{}' has to be static", body.name);
            check.refuse(
                &at.key("ground_depth"),
                Fault::error(message, "ground").with_help("give the body kind = \"static\""),
            );
        }
        if mesh.sheet_thickness.is_some() {
            exclude(
                check,
                "ground_depth",
                "sheet_thickness",
                "a sheet is the surface of ground, or a body itself",
            );
        }
    }
    if let Some(thickness) = mesh.sheet_thickness {
        check.positive(&at.key("sheet_thickness"), thickness, "m");
        check_sheet(check, at, body, mesh, "sheet_thickness");
    }
}

/// What is asked of a mesh that encloses a volume cannot be asked of an open sheet.
fn check_sheet(check: &mut Checker, at: &KeyPath, body: &BodySpec, mesh: &MeshSpec, of_sheet: &str) {
    let asks = [
        ("repair", mesh.repair.settings().is_some()),
        ("union", mesh.union),
        ("split", mesh.split),
        ("part", mesh.part.is_some()),
    ];
    for (key, _) in asks.into_iter().filter(|(_, is_given)| *is_given) {
        let message = format!("the mesh of '{}' has both {key} and {of_sheet}", body.name);
        let why = "it is made of one open sheet as it is";
        check.refuse(&at.key(key), Fault::error(message, "one of the two").with_help(why));
    }
    if mesh.center == CenterChoice::Point(CenterSpec::Mass) {
        let fault = Fault::error("an open sheet has no centre of mass", "not of a sheet")
            .with_help("center = \"box\" or \"base\" takes the box around the sheet");
        check.refuse(&at.key("center"), fault);
    }
}

pub fn check_orientation(check: &mut Checker, at: &KeyPath, orientation: OrientationSpec) {
    match orientation {
        OrientationSpec::Identity => {}
        OrientationSpec::Quaternion(q) => {
            check.direction(&at.key("quaternion"), &q, "a quaternion");
        }
        OrientationSpec::EulerDeg(angles) => {
            check.vector(&at.key("euler_deg"), angles, "degrees");
        }
        OrientationSpec::AxisAngle { axis, deg } => {
            let at = at.key("axis_angle");
            check.direction(&at.key("axis"), &axis, "an axis");
            check.finite(&at.key("deg"), deg, "degrees");
        }
    }
}

fn check_velocities(check: &mut Checker, at: &KeyPath, body: &BodySpec) {
    check.vector(&at.key("linear_velocity"), body.linear_velocity, "m/s");
    check.vector(&at.key("angular_velocity"), body.angular_velocity, "rad/s");
    let moves = body.linear_velocity != [0.0; 3] || body.angular_velocity != [0.0; 3];
    if body.kind == KindSpec::Static && moves {
        let message = format!("the static body '{}' has a velocity", body.name);
        let fault = Fault::error(message, "a static body does not move")
            .with_help("kind = \"kinematic\" moves at its own velocity, \"dynamic\" begins with it");
        let key = if body.linear_velocity == [0.0; 3] { "angular_velocity" } else { "linear_velocity" };
        check.refuse(&at.key(key), fault);
    }
}

fn check_mass(check: &mut Checker, at: &KeyPath, body: &BodySpec) {
    if let Some(density) = body.density {
        check.positive(&at.key("density"), density, "kg/m³");
    }
    if let Some(mass) = body.mass {
        check.positive(&at.key("mass"), mass, "kg");
    }
    if body.density.is_some() && body.mass.is_some() {
        let message = format!("the body '{}' has both a density and a mass", body.name);
        check.refuse(&at.key("mass"), Fault::error(message, "give one of the two"));
    }
    if let Some(center) = body.center_of_mass {
        check.vector(&at.key("center_of_mass"), center, "m");
    }
    if let Some(values) = &body.inertia {
        check_inertia(check, &at.key("inertia"), values);
    }
}

fn check_inertia(check: &mut Checker, at: &KeyPath, values: &[f64]) {
    if !matches!(values.len(), 3 | 6) {
        let message = format!("inertia has {} numbers, but has to have 3 or 6", values.len());
        check.refuse(at, Fault::error(message, "[xx, yy, zz] or [xx, yy, zz, xy, yz, zx]"));
        return;
    }
    if !values.iter().all(|x| x.is_finite()) {
        check.refuse(at, Fault::error("inertia has a number that is not finite", "not finite"));
        return;
    }
    // A body's inertia is tr(S) 1 - S with a second moment S that is positive (semi-)definite: test S, which covers
    // the triangle inequality of the principal moments too. Leading minors are enough for a definite matrix; the
    // slack admits flat bodies, whose smallest moment is zero up to rounding.
    // Its size does not matter for that, and the products of large or small numbers are none.
    let largest = values.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let relative: Vec<f64> = values.iter().map(|x| x / largest).collect();
    let inertia = inertia_matrix(&relative);
    let trace = inertia.x_axis.x + inertia.y_axis.y + inertia.z_axis.z;
    let second = DMat3::from_diagonal(DVec3::splat(0.5 * trace * (1.0 + 1e-9))) - inertia;
    let minor = second.x_axis.x * second.y_axis.y - second.x_axis.y * second.y_axis.x;
    if !(second.x_axis.x > 0.0 && minor > 0.0 && second.determinant() > 0.0) {
        let fault = Fault::error("no body can have this inertia", "not an inertia")
            .with_help("each principal moment has to be positive and at most the sum of the other two");
        check.refuse(at, fault);
    }
}

/// The tensor of `[xx, yy, zz]` or `[xx, yy, zz, xy, yz, zx]`.
pub fn inertia_matrix(values: &[f64]) -> DMat3 {
    let at = |ix: usize| values.get(ix).copied().unwrap_or(0.0);
    let [xx, yy, zz, xy, yz, zx] = std::array::from_fn(at);
    DMat3::from_cols(DVec3::new(xx, xy, zx), DVec3::new(xy, yy, yz), DVec3::new(zx, yz, zz))
}

fn check_copies(check: &mut Checker, at: &KeyPath, copies: &CopiesSpec) {
    for (ix, (&n, &spacing)) in copies.grid.iter().zip(&copies.spacing).enumerate() {
        if n == 0 {
            check.refuse(
                &at.key("grid").ix(ix),
                Fault::error("a grid of zero copies has no bodies", "at least 1"),
            );
        }
        if n > 1 {
            check.positive(&at.key("spacing").ix(ix), spacing, "m");
        }
    }
    check.not_negative(&at.key("jitter"), copies.jitter, "m");
}
