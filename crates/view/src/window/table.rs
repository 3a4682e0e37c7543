//! Figures as text: rows of contacts to show and copy.

use std::cmp::Ordering;

use crate::frame::{ContactView, Frame};
use crate::marks::State;

/// Columns of the table of contacts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    Pair,
    Region,
    State,
    Normal,
    Tangential,
    Spin,
    Used,
    Depth,
    Area,
    Update,
    Friction,
    Restitution,
}

impl Column {
    /// All columns, from left to right.
    pub const ALL: [Self; 12] = [
        Self::Pair,
        Self::Region,
        Self::State,
        Self::Normal,
        Self::Tangential,
        Self::Spin,
        Self::Used,
        Self::Depth,
        Self::Area,
        Self::Update,
        Self::Friction,
        Self::Restitution,
    ];

    /// Heading with the unit.
    pub fn title(self) -> &'static str {
        match self {
            Self::Pair => "pair",
            Self::Region => "reg.",
            Self::State => "state",
            Self::Normal => "fn [N]",
            Self::Tangential => "ft [N]",
            Self::Spin => "tn [N m]",
            Self::Used => "ft/(mu fn)",
            Self::Depth => "depth [mm]",
            Self::Area => "area [cm²]",
            Self::Update => "update",
            Self::Friction => "mu",
            Self::Restitution => "e",
        }
    }

    /// What it is.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Pair => "The two bodies; forces act on the second.",
            Self::Region => "Number of the region in which the pair touches.",
            Self::State => "What friction does at this contact.",
            Self::Normal => "Normal force, mean over the step [N].",
            Self::Tangential => "Friction force, mean over the step [N].",
            Self::Spin => "Torque about the normal through the centre of pressure [N m].",
            Self::Used => "Friction force as a part of what the normal force allows; 1 slides.",
            Self::Depth => "Mean depth of the overlap [mm].",
            Self::Area => "Area of the contact, the length of the volume's gradient [cm²].",
            Self::Update => {
                "Change of the impulse in the last sweep [N s, N m s mixed]: what is left to converge."
            }
            Self::Friction => "Coefficient of friction of the pair.",
            Self::Restitution => "Coefficient of restitution of the pair.",
        }
    }
}

/// A contact as a row.
#[derive(Clone, Debug)]
pub struct Row {
    /// The pair.
    pub pair: String,
    /// Number of the region.
    pub region: u32,
    /// What it does.
    pub state: State,
    /// Figures: normal force, friction force, spin torque \[N, N, N m\], part of friction used, depth \[mm\], area
    /// \[cm²\], update, friction and restitution of the pair.
    pub figures: [f64; 9],
}

impl Row {
    /// A contact of a frame.
    pub fn of(frame: &Frame, contact: &ContactView) -> Self {
        let record = &contact.record;
        let name = |ix: usize| {
            frame.model.bodies.get(record.bodies[ix].0 as usize).map_or("?", |body| body.name.as_str())
        };
        let [normal, u, w, ..] = record.impulse.map(|x| x / frame.dt);
        let tangential = u.hypot(w);
        let limit = contact.insight.friction * normal;
        Self {
            pair: format!("{} / {}", name(0), name(1)),
            region: record.region,
            state: State::of(contact.insight.motion),
            figures: [
                normal,
                tangential,
                contact.spin_torque(frame.dt),
                if limit > 0.0 { tangential / limit } else { 0.0 },
                1e3 * record.depth,
                1e4 * record.area,
                contact.insight.update,
                contact.insight.friction,
                contact.insight.restitution,
            ],
        }
    }

    /// The text of a column.
    pub fn cell(&self, column: Column) -> String {
        match column {
            Column::Pair => self.pair.clone(),
            Column::Region => self.region.to_string(),
            Column::State => self.state.name().to_owned(),
            Column::Update => format!("{:.1e}", self.figure(column)),
            _ => number(self.figure(column)),
        }
    }

    fn figure(&self, column: Column) -> f64 {
        let at = Column::ALL.iter().position(|other| *other == column).unwrap_or(0);
        self.figures[at.saturating_sub(3).min(8)]
    }

    fn compare(&self, other: &Self, column: Column) -> Ordering {
        match column {
            Column::Pair => self.pair.cmp(&other.pair),
            Column::Region => self.region.cmp(&other.region),
            Column::State => self.state.name().cmp(other.state.name()),
            _ => self.figure(column).total_cmp(&other.figure(column)),
        }
    }
}

/// Contacts of a body, or all, in the order of a column.
pub fn rows(frame: &Frame, body: Option<u32>, (column, is_descending): (Column, bool)) -> Vec<Row> {
    let shown = |contact: &&ContactView| body.is_none_or(|body| contact.is_of(body));
    let mut rows: Vec<Row> =
        frame.contacts.iter().filter(shown).map(|contact| Row::of(frame, contact)).collect();
    rows.sort_by(|a, b| {
        let order = a.compare(b, column);
        if is_descending { order.reverse() } else { order }
    });
    rows
}

/// Rows with their headings, separated by tabs: a spreadsheet takes them as they are.
pub fn tabbed(rows: &[Row]) -> String {
    let line = |cells: Vec<String>| cells.join("\t") + "\n";
    let mut text = line(Column::ALL.map(|column| column.title().to_owned()).to_vec());
    for row in rows {
        text += &line(Column::ALL.map(|column| row.cell(column)).to_vec());
    }
    text
}

/// A number with four digits.
pub fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".to_owned()
    } else if (1e-2..1e4).contains(&size) {
        let decimals = (3 - size.log10().floor() as i32).clamp(0, 5) as usize;
        format!("{x:.decimals$}")
    } else {
        format!("{x:.2e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits_and_no_more() {
        let cases = [
            (0.0, "0"),
            (9.81, "9.810"),
            (-123.456, "-123.5"),
            (0.05, "0.05000"),
            (1e-7, "1.00e-7"),
            (54321.0, "5.43e4"),
        ];
        for (x, text) in cases {
            assert_eq!(number(x), text);
        }
    }

    #[test]
    fn every_column_has_a_figure_of_its_own() {
        let row = Row {
            pair: "a / b".to_owned(),
            region: 0,
            state: State::of(tactum_sim::ContactMotion::default()),
            figures: [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0],
        };
        let last = [Column::Area, Column::Friction, Column::Restitution].map(|column| row.cell(column));
        assert_eq!(last, ["6.000", "8.000", "9.000"]);
        assert_eq!(Column::ALL.len(), 3 + row.figures.len());
    }
}
