//! What touches in a run, step by step.

use std::path::Path;

use glam::DVec3;
use serde::Deserialize;

use super::RecordedError;
use super::rows::Rows;

/// A contact of a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Touch {
    /// Names of the two bodies.
    pub bodies: [String; 2],
    /// Where they touch, world \[m\].
    pub point: DVec3,
    /// Unit normal, from the first body to the second.
    pub normal: DVec3,
    /// Force on the second body, mean over the step, world axes \[N\].
    pub force: DVec3,
    /// Its torque about the point, world axes \[N m\].
    pub torque: DVec3,
    /// Mean depth \[m\].
    pub depth: f64,
    /// Area of the patch \[m²\].
    pub area: f64,
}

/// The contacts of a run, read as its steps are asked for.
#[derive(Debug)]
pub struct Contacts {
    rows: Rows,
    /// Whether a row has been read that is not used yet.
    has_row: bool,
}

#[derive(Deserialize)]
struct ContactRow<'a> {
    a: &'a str,
    b: &'a str,
    area: f64,
    depth: f64,
    px: f64,
    py: f64,
    pz: f64,
    nx: f64,
    ny: f64,
    nz: f64,
    ux: f64,
    uy: f64,
    uz: f64,
    #[serde(rename = "fn")]
    fn_: f64,
    fu: f64,
    fw: f64,
    tn: f64,
    tu: f64,
    tw: f64,
}

impl ContactRow<'_> {
    fn touch(&self) -> Touch {
        let normal = DVec3::new(self.nx, self.ny, self.nz);
        let u = DVec3::new(self.ux, self.uy, self.uz);
        let w = normal.cross(u);
        Touch {
            bodies: [self.a, self.b].map(str::to_owned),
            point: DVec3::new(self.px, self.py, self.pz),
            normal,
            force: normal * self.fn_ + u * self.fu + w * self.fw,
            torque: normal * self.tn + u * self.tu + w * self.tw,
            depth: self.depth,
            area: self.area,
        }
    }
}

impl Contacts {
    pub(super) fn open(path: &Path) -> Result<Self, RecordedError> {
        Ok(Self { rows: Rows::open(path)?, has_row: false })
    }

    /// The contacts of a step; steps have to be asked for in their order.
    ///
    /// # Errors
    /// If a row is none of such a table.
    pub fn of_step(&mut self, step: u64) -> Result<Vec<Touch>, RecordedError> {
        let mut touches = Vec::new();
        while self.has_row || self.rows.advance()? {
            self.has_row = true;
            let of = self.rows.step()?;
            if of > step {
                break;
            }
            if of == step {
                touches.push(self.rows.get::<ContactRow<'_>>()?.touch());
            }
            self.has_row = false;
        }
        Ok(touches)
    }
}
