//! From the measures that a scene states to the mesh that has them.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};
use tactum_geometry::TriangleMesh;
use tactum_geometry::mesh::generate::{self, GenerateError};

use super::{
    BoltSpec, BumpyCubeSpec, GearSpec, GenerateSpec, LShapeSpec, MugSpec, NutSpec, RingSpec, TableSpec,
    ThreadSpec, TorusKnotSpec,
};

impl GenerateSpec {
    /// Makes the mesh.
    ///
    /// # Errors
    /// If a measure is out of its range.
    pub fn mesh(&self) -> Result<TriangleMesh, GenerateError> {
        match self {
            Self::Cuboid(s) => generate::cuboid(DVec3::from_array(s.size), s.triangles),
            Self::Prism(s) => {
                let size = generate::Prism { sides: s.sides, radius: s.radius, height: s.height };
                generate::prism(&size, s.triangles)
            }
            Self::Cylinder(s) => generate::cylinder(s.radius, s.height, s.triangles),
            Self::Cone(s) => generate::cone(s.radius, s.height, s.triangles),
            Self::Sphere(s) => generate::sphere(s.radius, s.triangles),
            Self::Ellipsoid(s) => generate::ellipsoid(DVec3::from_array(s.semi_axes), s.triangles),
            Self::Star(s) => generate::star(s.radius, s.core_radius, s.triangles),
            Self::Torus(s) => generate::torus(s.major_radius, s.minor_radius, s.triangles),
            Self::Ring(s) => {
                let RingSpec { inner_radius, outer_radius, height, triangles } = *s;
                generate::ring(&generate::Ring { inner_radius, outer_radius, height }, triangles)
            }
            Self::Bowl(s) => generate::bowl(s.inner_radius, s.outer_radius, s.triangles),
            Self::TaperedBlock(s) => {
                let [bottom, top] = [s.bottom, s.top].map(DVec2::from_array);
                let size = generate::TaperedBlock { bottom, top, height: s.height };
                generate::tapered_block(&size, s.triangles)
            }
            Self::LShape(s) => {
                let LShapeSpec { length, width, height, thickness, triangles } = *s;
                generate::l_shape(&generate::LShape { length, width, height, thickness }, triangles)
            }
            Self::Table(s) => s.mesh(),
            Self::BumpyCube(s) => {
                let BumpyCubeSpec { side, bumps, bump_height, triangles } = *s;
                generate::bumpy_cube(&generate::BumpyCube { side, bumps, bump_height }, triangles)
            }
            Self::Critter(s) => generate::critter(s.length, s.seed, s.triangles),
            Self::Mug(s) => {
                let MugSpec { radius, height, wall, handle_reach, handle_thickness, triangles } = *s;
                let size = generate::Mug { radius, height, wall, handle_reach, handle_thickness };
                generate::mug(&size, triangles)
            }
            Self::TorusKnot(s) => {
                let TorusKnotSpec { p, q, major_radius, minor_radius, tube_radius, triangles } = *s;
                let size = generate::TorusKnot { p, q, major_radius, minor_radius, tube_radius };
                generate::torus_knot(&size, triangles)
            }
            Self::Gear(s) => s.mesh(),
            Self::Bolt(s) => s.mesh(),
            Self::Nut(s) => s.mesh(),
        }
    }
}

impl TableSpec {
    fn mesh(&self) -> Result<TriangleMesh, GenerateError> {
        let size = generate::Table {
            length: self.length,
            width: self.width,
            height: self.height,
            top_thickness: self.top_thickness,
            leg_thickness: self.leg_thickness,
            leg_inset: DVec2::from_array(self.leg_inset),
        };
        generate::table(&size, self.triangles)
    }
}

impl GearSpec {
    fn mesh(&self) -> Result<TriangleMesh, GenerateError> {
        let size = generate::Gear {
            teeth: self.teeth,
            module: self.module,
            pressure_angle: self.pressure_angle_deg * (PI / 180.0),
            backlash: self.backlash,
            height: self.height,
            bore_radius: self.bore_radius,
        };
        generate::gear(&size, self.triangles)
    }
}

impl ThreadSpec {
    fn thread(&self) -> generate::Thread {
        let Self { radius, pitch, amplitude, starts } = *self;
        generate::Thread { radius, pitch, amplitude, starts }
    }
}

impl BoltSpec {
    fn mesh(&self) -> Result<TriangleMesh, GenerateError> {
        let size = generate::Bolt {
            thread: self.thread.thread(),
            thread_length: self.thread_length,
            fade: self.fade,
            shank_length: self.shank_length,
            head_height: self.head_height,
            head_width: self.head_width,
        };
        generate::bolt(&size, self.triangles)
    }
}

impl NutSpec {
    fn mesh(&self) -> Result<TriangleMesh, GenerateError> {
        let size = generate::Nut {
            thread: self.thread.thread(),
            clearance: self.clearance,
            height: self.height,
            width: self.width,
            fade: self.fade,
        };
        generate::nut(&size, self.triangles)
    }
}
