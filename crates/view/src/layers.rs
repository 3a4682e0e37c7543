//! What of contacts and bodies can be shown, each part for itself.

use std::collections::BTreeSet;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Something that can be shown or hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// The patch that bounds the centre of pressure.
    Patch,
    /// The ellipse of the overlap's tangential variances.
    Ellipse,
    /// Contact axes.
    Frame,
    /// Contact normal.
    Normal,
    /// Box with the overlap's moments.
    Box,
    /// Centre of pressure before it was held back at the patch's border.
    FreeCop,
    /// Centre of pressure.
    Cop,
    /// Where the centre of pressure was.
    Trail,
    /// Contact force.
    Force,
    /// Torque about the normal.
    Torque,
    /// What two facets that touch have in common.
    Facets,
    /// Pressure over it, by colour.
    Pressure,
    /// Points that carry a contact, where contacts are solved as points; of facets that touch their contact points; vertices and edges that
    /// are in each other.
    Points,
    /// Joints.
    Joints,
    /// Centres of mass.
    Mass,
    /// Frames of the bodies' shapes.
    Axes,
    /// Boxes with the bodies' mass and inertia.
    Inertia,
    /// Names of the bodies.
    Names,
    /// Sticking, sliding, spinning or rolling, by the colour of the patch.
    State,
    /// Regions of a pair, by the colour of the patch's rim.
    Regions,
    /// Edges of the bodies.
    Wireframe,
    /// Shadows of the bodies.
    Shadows,
    /// Grid of the ground.
    Grid,
    /// Bodies at rest are faint where they hide bodies that move.
    SeeInto,
    /// What the colours mean.
    Legend,
    /// A bar of a length that is told.
    Scale,
}

impl Layer {
    /// All layers, in the order of the panel.
    pub const ALL: [Self; 26] = [
        Self::Patch,
        Self::State,
        Self::Regions,
        Self::Ellipse,
        Self::Box,
        Self::Frame,
        Self::Normal,
        Self::Cop,
        Self::FreeCop,
        Self::Trail,
        Self::Force,
        Self::Torque,
        Self::Facets,
        Self::Pressure,
        Self::Points,
        Self::Joints,
        Self::Mass,
        Self::Axes,
        Self::Inertia,
        Self::Names,
        Self::Wireframe,
        Self::Shadows,
        Self::Grid,
        Self::SeeInto,
        Self::Legend,
        Self::Scale,
    ];

    /// Whether it shows something of contacts or joints, not of bodies, nor how the scene is drawn.
    pub fn is_of_contacts(self) -> bool {
        !matches!(
            self,
            Self::Mass
                | Self::Axes
                | Self::Inertia
                | Self::Names
                | Self::Wireframe
                | Self::Shadows
                | Self::Grid
                | Self::SeeInto
                | Self::Legend
                | Self::Scale
        )
    }

    /// Name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Patch => "patch",
            Self::Ellipse => "ellipse",
            Self::Frame => "frame",
            Self::Normal => "normal",
            Self::Box => "box",
            Self::FreeCop => "free_cop",
            Self::Cop => "cop",
            Self::Trail => "trail",
            Self::Force => "force",
            Self::Torque => "torque",
            Self::Facets => "facets",
            Self::Pressure => "pressure",
            Self::Points => "points",
            Self::Joints => "joints",
            Self::Mass => "mass",
            Self::Axes => "axes",
            Self::Inertia => "inertia",
            Self::Names => "names",
            Self::State => "state",
            Self::Regions => "regions",
            Self::Wireframe => "wireframe",
            Self::Shadows => "shadows",
            Self::Grid => "grid",
            Self::SeeInto => "see_into",
            Self::Legend => "legend",
            Self::Scale => "scale",
        }
    }

    /// Name in the panel.
    pub fn title(self) -> &'static str {
        match self {
            Self::Patch => "Patch",
            Self::Ellipse => "Ellipse of moments",
            Self::Frame => "Contact frame",
            Self::Normal => "Normal",
            Self::Box => "Equivalent box",
            Self::FreeCop => "Pressure centre, free",
            Self::Cop => "Pressure centre",
            Self::Trail => "Trail",
            Self::Force => "Force",
            Self::Torque => "Spin torque",
            Self::Facets => "Touching facets",
            Self::Pressure => "Pressure by colour",
            Self::Points => "Contact points",
            Self::Joints => "Joints",
            Self::Mass => "Centres of mass",
            Self::Axes => "Frames of shapes",
            Self::Inertia => "Boxes of inertia",
            Self::Names => "Names",
            Self::State => "State by colour",
            Self::Regions => "Regions by rim",
            Self::Wireframe => "Wireframe",
            Self::Shadows => "Shadows",
            Self::Grid => "Grid",
            Self::SeeInto => "See into",
            Self::Legend => "Legend",
            Self::Scale => "Scale bar",
        }
    }

    /// What it is, for a tooltip.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Patch => "The area of the contact plane in which the centre of pressure has to lie.",
            Self::Ellipse => {
                "Ellipse whose squared semi-axes are four tangential variances of the overlap [m]."
            }
            Self::Frame => "Axes n (black), u (blue) and w (green) of the contact, as long as the patch.",
            Self::Normal => "Contact normal, from the first body of the pair to the second.",
            Self::Box => "Cuboid with the second moment of the overlap volume.",
            Self::FreeCop => "Where the centre of pressure would lie if the patch had no border.",
            Self::Cop => "Centre of pressure of the contact's wrench.",
            Self::Trail => "Where the centre of pressure was in the last seconds.",
            Self::Force => {
                "Force on the second body of the pair at the centre of pressure [N]; beyond one and a half weights lengths grow by the logarithm."
            }
            Self::Torque => {
                "Torque on the second body about the normal through the centre of pressure [N m]."
            }
            Self::Facets => {
                "What two facets have in common in the plane of their contact, under the law \"facets\"."
            }
            Self::Pressure => {
                "Pressure there, as a part of the largest: sky blue by yellow to vermilion; blue draws [Pa]."
            }
            Self::Points => {
                "Points that carry a contact where the scene asks for points, with the force at each [N]; of facets where they touch; of continuous penalties vertices and edges that are in each other."
            }
            Self::Joints => "Where bodies are joined, with the axis about or along which they move.",
            Self::Mass => "Centres of mass of the bodies that move.",
            Self::Axes => {
                "Axes x (vermilion), y (green) and z (blue) of the frame of each shape, at its origin."
            }
            Self::Inertia => "Cuboid of even density with the mass and the inertia of each body that moves.",
            Self::Names => {
                "Names of the bodies, or of the selected one where only its marks are shown; of at most a hundred."
            }
            Self::State => "Colours patches by what friction does: sticking, sliding, spinning, rolling.",
            Self::Regions => "Colours the rims of patches by the number of the region within its pair.",
            Self::Wireframe => "Edges of the meshes.",
            Self::Shadows => "Shadows of the bodies.",
            Self::Grid => "Lines on the ground; ten fine ones make a strong one.",
            Self::SeeInto => "Bodies at rest are faint where they hide bodies that move.",
            Self::Legend => "What the colours mean.",
            Self::Scale => "A bar of a length that is told, at the depth about which the camera turns.",
        }
    }
}

/// Layers that are shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layers {
    shown: BTreeSet<Layer>,
}

impl Default for Layers {
    /// What explains a contact at a glance.
    fn default() -> Self {
        use Layer::{Cop, Facets, Force, Joints, Patch, Points, Pressure, State};
        let contacts = [Patch, State, Cop, Force, Facets, Pressure, Points, Joints];
        Self { shown: Self::of_drawing().chain(contacts).collect() }
    }
}

impl Layers {
    /// How a scene is usually drawn, whatever is shown of contacts.
    fn of_drawing() -> impl Iterator<Item = Layer> {
        [Layer::Shadows, Layer::Grid, Layer::SeeInto, Layer::Legend, Layer::Scale].into_iter()
    }

    /// Whether a layer is shown.
    pub fn has(&self, layer: Layer) -> bool {
        self.shown.contains(&layer)
    }

    /// Shows a layer or hides it.
    pub fn set(&mut self, layer: Layer, on: bool) {
        if on {
            self.shown.insert(layer);
        } else {
            self.shown.remove(&layer);
        }
    }
}

/// A layer that does not exist.
#[derive(Debug, Error)]
#[error(
    "there is no layer '{name}'; the layers are: {}; `all` and `none` stand for all of contacts and none",
    names()
)]
pub struct UnknownLayer {
    name: String,
}

fn names() -> String {
    Layer::ALL.map(Layer::name).join(", ")
}

impl FromStr for Layers {
    type Err = UnknownLayer;

    /// A list such as `patch,force`, which replaces the layers of contacts, or `+box,-force`, which changes the usual
    /// ones. Shadows, grid, legend and scale bar stay unless they are taken away, and bodies at rest faint.
    fn from_str(list: &str) -> Result<Self, UnknownLayer> {
        let is_change = |word: &str| word.starts_with(['+', '-']);
        let words: Vec<&str> = list.split(',').map(str::trim).filter(|word| !word.is_empty()).collect();
        let mut layers = Self::default();
        if !words.iter().all(|word| is_change(word)) {
            layers.shown = Self::of_drawing().collect();
        }
        for word in words {
            let (on, name) = match word.strip_prefix('-') {
                Some(name) => (false, name),
                None => (true, word.strip_prefix('+').unwrap_or(word)),
            };
            match name {
                "all" => Layer::ALL.iter().for_each(|layer| layers.set(*layer, on)),
                "none" => {}
                _ => {
                    let layer = Layer::ALL.into_iter().find(|layer| layer.name() == name);
                    layers.set(layer.ok_or_else(|| UnknownLayer { name: name.to_owned() })?, on);
                }
            }
        }
        Ok(layers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(list: &str) -> Vec<&'static str> {
        let layers: Layers = list.parse().expect("a list of layers");
        Layer::ALL.into_iter().filter(|layer| layers.has(*layer)).map(Layer::name).collect()
    }

    #[test]
    fn lists_replace_or_change_the_usual_layers() {
        let usual = ["shadows", "grid", "see_into", "legend", "scale"];
        let with = |names: &[&'static str]| [names, &usual].concat();
        assert_eq!(parse("box, cop"), with(&["box", "cop"]));
        assert_eq!(parse("none"), usual);
        assert_eq!(
            parse("+box,-force"),
            with(&["patch", "state", "box", "cop", "facets", "pressure", "points", "joints"])
        );
        assert_eq!(parse("all").len(), Layer::ALL.len());
        assert_eq!(parse("none,-shadows,-grid,-legend"), ["see_into", "scale"]);
    }

    #[test]
    fn an_unknown_layer_lists_those_that_there_are() {
        let error = "patch,dots".parse::<Layers>().expect_err("no such layer").to_string();
        assert!(error.contains("'dots'") && error.contains("free_cop"), "{error}");
    }
}
