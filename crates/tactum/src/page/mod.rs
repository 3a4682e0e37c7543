//! Reports as one page of HTML that needs nothing else: no script, no font, no network. Plots are SVG within it.
//!
//! | module | what it holds |
//! |---|---|
//! | here | what a page is made of, and its text |
//! | `columns` | tables of columns: their rows, one column over another |
//! | `run` | the page of a run |
//! | `sensors` | what the sensors of a run measured, over time |

mod columns;
mod run;
mod sensors;

use std::fmt::Write as _;

use crate::plot::{Plot, escaped};

pub use run::of_run;

/// A page.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// What it is about.
    pub title: String,
    /// What is below the title, the first things first.
    pub parts: Vec<Part>,
}

/// A part of a page.
#[derive(Clone, Debug)]
pub enum Part {
    /// The heading of what follows.
    Heading(String),
    /// A paragraph.
    Text(String),
    /// What came of it, in a line that is to be seen first.
    Verdict {
        /// Whether all is well.
        is_good: bool,
        /// What came of it.
        text: String,
    },
    /// Names and what belongs to them.
    Facts(Vec<(String, String)>),
    /// Rows below names of columns. Columns whose cells are numbers are set as such.
    Table {
        /// Names of the columns.
        columns: Vec<String>,
        /// As many cells in each as there are columns.
        rows: Vec<Vec<String>>,
    },
    /// A line for each thing to be told.
    List(Vec<String>),
    /// A picture.
    Plot(Box<Plot>),
    /// A text to be copied as it is.
    Code(String),
    /// A long text that is shown on request.
    Folded {
        /// What it is.
        title: String,
        /// The text as it is.
        text: String,
    },
}

impl Part {
    /// A table of texts.
    pub fn table(columns: &[&str], rows: Vec<Vec<String>>) -> Self {
        Self::Table { columns: columns.iter().map(|name| (*name).to_owned()).collect(), rows }
    }
}

/// Parts of the width of a plot that a line is thinned to: there are as many pixels.
pub const WIDTH: usize = 620;

/// A word as a shell reads it as one.
pub fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A number with few digits, for tables.
pub fn figures(x: f64) -> String {
    match x {
        0.0 => "0".to_owned(),
        x if (1e-3..1e5).contains(&x.abs()) => format!("{x:.5}"),
        x => format!("{x:.3e}"),
    }
}

const STYLE: &str = "\
body{font:15px/1.5 system-ui,sans-serif;color:#1c1f23;background:#fff;max-width:960px;margin:2rem auto;padding:0 1rem}
h1{font-size:1.6rem;margin:0 0 .5rem}h2{font-size:1.15rem;margin:2rem 0 .5rem;border-bottom:1px solid #d8dbe0;padding-bottom:.2rem}
table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}
div.wide{overflow-x:auto}
th,td{padding:.2rem .7rem .2rem 0;text-align:left;vertical-align:top}
thead th{border-bottom:1px solid #9aa1ab;white-space:nowrap}td.n,th.n{text-align:right;white-space:nowrap}
tbody tr:nth-child(even){background:#f5f6f8}table.facts th{font-weight:normal;color:#5b626c;white-space:nowrap}
table.facts td{overflow-wrap:anywhere}table.facts tr{background:none!important}
pre{background:#f5f6f8;padding:.6rem .8rem;overflow-x:auto;font-size:13px;white-space:pre-wrap;overflow-wrap:anywhere}
svg{width:100%;max-width:720px;height:auto;display:block;margin:.5rem 0}
p.good,p.bad{padding:.5rem .8rem;border-left:4px solid;font-weight:600}
p.good{border-color:#2e7d4f;background:#eef7f1}p.bad{border-color:#b3372f;background:#fbeeed}
";

impl Page {
    /// The text of the page.
    pub fn to_html(&self) -> String {
        let title = escaped(&self.title);
        let mut html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n<h1>{title}</h1>\n"
        );
        self.parts.iter().for_each(|part| part.write(&mut html));
        html + "</body>\n</html>\n"
    }
}

impl Part {
    fn write(&self, html: &mut String) {
        // Writing into a string does not fail.
        let _ = match self {
            Self::Heading(text) => writeln!(html, "<h2>{}</h2>", escaped(text)),
            Self::Text(text) => writeln!(html, "<p>{}</p>", escaped(text)),
            Self::Verdict { is_good, text } => {
                let class = if *is_good { "good" } else { "bad" };
                writeln!(html, "<p class=\"{class}\">{}</p>", escaped(text))
            }
            Self::Facts(facts) => {
                html.push_str("<table class=\"facts\"><tbody>\n");
                for (name, value) in facts {
                    let _ = writeln!(html, "<tr><th>{}</th><td>{}</td></tr>", escaped(name), escaped(value));
                }
                writeln!(html, "</tbody></table>")
            }
            Self::Table { columns, rows } => {
                write_table(html, columns, rows);
                Ok(())
            }
            Self::List(lines) => {
                html.push_str("<ul>\n");
                lines.iter().for_each(|line| *html += &format!("<li>{}</li>\n", escaped(line)));
                writeln!(html, "</ul>")
            }
            Self::Plot(plot) => writeln!(html, "{}", plot.svg()),
            Self::Code(text) => writeln!(html, "<pre>{}</pre>", escaped(text)),
            Self::Folded { title, text } => {
                let [title, text] = [title, text].map(|text| escaped(text));
                writeln!(html, "<details><summary>{title}</summary><pre>{text}</pre></details>")
            }
        };
    }
}

fn write_table(html: &mut String, columns: &[String], rows: &[Vec<String>]) {
    let is_number = |ix: usize| {
        let cells = || rows.iter().filter_map(|row| row.get(ix)).filter(|cell| !cell.is_empty());
        cells().next().is_some() && cells().all(|cell| cell.parse::<f64>().is_ok())
    };
    let classes: Vec<&str> =
        (0..columns.len()).map(|ix| if is_number(ix) { " class=\"n\"" } else { "" }).collect();
    let line = |html: &mut String, tag: &str, cells: &[String]| {
        html.push_str("<tr>");
        for (cell, class) in cells.iter().zip(&classes) {
            // Writing into a string does not fail.
            let _ = write!(html, "<{tag}{class}>{}</{tag}>", escaped(cell));
        }
        html.push_str("</tr>\n");
    };
    html.push_str("<div class=\"wide\"><table><thead>\n");
    line(html, "th", columns);
    html.push_str("</thead><tbody>\n");
    rows.iter().for_each(|row| line(html, "td", row));
    html.push_str("</tbody></table></div>\n");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_users_are_texts() {
        let evil = "<script>\"&".to_owned();
        let parts = vec![
            Part::Heading(evil.clone()),
            Part::Text(evil.clone()),
            Part::Verdict { is_good: false, text: evil.clone() },
            Part::Facts(vec![(evil.clone(), evil.clone())]),
            Part::table(&[&evil], vec![vec![evil.clone()]]),
            Part::List(vec![evil.clone()]),
            Part::Code(evil.clone()),
            Part::Folded { title: evil.clone(), text: evil.clone() },
        ];
        let html = Page { title: evil, parts }.to_html();
        assert!(!html.contains("<script"), "{html}");
        // The title stands twice, what has a name and a value too.
        assert_eq!(html.matches("&lt;script&gt;&quot;&amp;").count(), 2 + 1 + 1 + 1 + 2 + 2 + 1 + 1 + 2);
    }

    #[test]
    fn numbers_stand_below_each_other() {
        let rows = vec![vec!["a".to_owned(), "1.5".to_owned()], vec!["2".to_owned(), "-3e-4".to_owned()]];
        let html = Page { title: String::new(), parts: vec![Part::table(&["name", "x"], rows)] }.to_html();
        assert!(html.contains("<th>name</th><th class=\"n\">x</th>"), "{html}");
        assert!(html.contains("<td>2</td><td class=\"n\">-3e-4</td>"), "{html}");
    }
}
