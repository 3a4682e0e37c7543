//! The live viewer: what bodies touch where, what holds them there, and why.
//!
//! | module | what it holds |
//! |---|---|
//! | [`simulation`] | the simulation on a thread of its own; commands, their log and its replay |
//! | [`command`] | everything that changes a state, as data |
//! | [`frame`], [`timeline`] | what is known of a step; the recorded steps |
//! | [`draw`] | draws a frame by a graphics device, in a window or without one |
//! | [`layers`], [`marks`], [`facet_marks`], [`penalty_marks`], [`body_marks`], [`overlay`] | what can be shown of contacts and bodies, and the marks that show it |
//! | [`camera`], [`motion`], [`pick`] | where from; what there is to look at; which body lies under the mouse |
//! | [`mesh`], [`palette`], [`legend`], [`scale_bar`] | surfaces of shapes, colours, what these mean, and how large things are |
//! | [`offscreen`], [`still`], [`sheet`], [`film`] | pictures without a window, one by one, many on a sheet, and animated |
//! | [`view`], [`window`] | what is shown; the window with its panels |
//!
//! Whatever changes a state goes through a queue of commands, to the simulation and into the log.

pub mod body_marks;
pub mod camera;
pub mod command;
pub mod draw;
pub mod facet_marks;
pub mod film;
pub mod frame;
pub mod layers;
pub mod legend;
pub mod marks;
pub mod mesh;
pub mod motion;
pub mod offscreen;
pub mod overlay;
pub mod palette;
mod paths;
pub mod penalty_marks;
pub mod pick;
pub mod scale_bar;
pub mod sheet;
pub mod simulation;
pub mod still;
pub mod timeline;
mod toolkit;
pub mod view;
pub mod window;
