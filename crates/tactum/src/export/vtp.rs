//! A file of polygons and points in VTK's XML format (VTK User's Guide, 11th edition, section 19.3): PolyData, numbers appended as they lie in
//! memory, least byte first.
//!
//! The crate `vtkio` was left out: it knows all of VTK's formats and brings a dozen crates for it, and what is needed of them is one page.

use std::fmt::Write as _;

use glam::DVec3;

/// A set of polygons, or of points, with numbers attached.
#[derive(Debug, Default)]
pub struct PolyData {
    /// Points \[m\].
    pub points: Vec<DVec3>,
    /// Triangles between them; each point by itself where there are none.
    pub triangles: Vec<[u32; 3]>,
    /// Vectors at the points, by their names.
    pub point_vectors: Vec<(&'static str, Vec<DVec3>)>,
    /// Numbers at the points, by their names.
    pub point_numbers: Vec<(&'static str, Vec<f64>)>,
    /// The body of each cell, that is triangle or point: its place in the scene.
    pub bodies: Vec<(&'static str, Vec<u32>)>,
    /// Names of the bodies in the order of the scene.
    pub names: Vec<String>,
}

/// Arrays in the order in which they are appended.
#[derive(Default)]
struct Appended(Vec<u8>);

impl Appended {
    /// Appends an array, and what the header says of it.
    fn array(
        &mut self,
        kind: &str,
        name: &str,
        n_components: usize,
        bytes: impl Iterator<Item = u8>,
    ) -> String {
        let offset = self.0.len();
        // The number of bytes comes first, and is known last.
        self.0.extend([0; 8]);
        self.0.extend(bytes);
        let length = (self.0.len() - offset - 8) as u64;
        self.0[offset..offset + 8].copy_from_slice(&length.to_le_bytes());
        format!(
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{n_components}\" format=\"appended\" \
             offset=\"{offset}\"/>\n"
        )
    }

    fn vectors(&mut self, name: &str, vectors: &[DVec3]) -> String {
        let bytes = vectors.iter().flat_map(DVec3::to_array).flat_map(f64::to_le_bytes);
        self.array("Float64", name, 3, bytes)
    }

    fn numbers(&mut self, name: &str, numbers: &[f64]) -> String {
        self.array("Float64", name, 1, numbers.iter().flat_map(|x| x.to_le_bytes()))
    }

    fn indices(&mut self, name: &str, indices: impl Iterator<Item = u32>) -> String {
        // Half of what indices of 64 bits would take; no surface has 2^31 corners.
        self.array("Int32", name, 1, indices.flat_map(u32::to_le_bytes))
    }
}

impl PolyData {
    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut appended = Appended::default();
        let points = appended.vectors("Points", &self.points);
        let (n_points, n_triangles) = (self.points.len() as u32, self.triangles.len() as u32);
        let n_single = if self.triangles.is_empty() { n_points } else { 0 };
        let mut cells = |of: &str, corners: &[u32], per_cell: u32, n: u32| {
            let corners = appended.indices("connectivity", corners.iter().copied());
            let ends = appended.indices("offsets", (1..=n).map(|k| k * per_cell));
            format!("<{of}>\n{corners}{ends}</{of}>\n")
        };
        let single: Vec<u32> = (0..n_single).collect();
        let single = cells("Verts", &single, 1, n_single);
        let triangles = cells("Polys", self.triangles.as_flattened(), 3, n_triangles);
        let mut at_points = String::new();
        self.point_vectors.iter().for_each(|(name, vectors)| at_points += &appended.vectors(name, vectors));
        self.point_numbers.iter().for_each(|(name, numbers)| at_points += &appended.numbers(name, numbers));
        let mut at_cells = String::new();
        for (name, bodies) in &self.bodies {
            at_cells += &appended.indices(name, bodies.iter().copied());
        }
        let mut file = format!(
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" \
             header_type=\"UInt64\">\n<PolyData>\n{}<Piece NumberOfPoints=\"{n_points}\" NumberOfVerts=\"{n_single}\" \
             NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"{n_triangles}\">\n<PointData>\n{at_points}</PointData>\n\
             <CellData>\n{at_cells}</CellData>\n<Points>\n{points}</Points>\n{single}{triangles}</Piece>\n</PolyData>\n\
             <AppendedData encoding=\"raw\">\n_",
            self.field_data()
        )
        .into_bytes();
        file.extend(appended.0);
        file.extend(b"\n</AppendedData>\n</VTKFile>\n");
        file
    }

    /// The names of the bodies, as their bytes, each name ended by a zero.
    fn field_data(&self) -> String {
        if self.names.is_empty() {
            return String::new();
        }
        let mut text = format!(
            "<FieldData>\n<Array type=\"String\" Name=\"body_names\" NumberOfTuples=\"{}\" format=\"ascii\">\n",
            self.names.len()
        );
        for name in &self.names {
            for byte in name.bytes() {
                // Writing into a string does not fail.
                let _ = write!(text, "{byte} ");
            }
            text += "0\n";
        }
        text + "</Array>\n</FieldData>\n"
    }
}
