//! Overlaps against closed forms and against the laws that every overlap obeys.

mod polyhedra;
