//! A bounding-volume hierarchy over the boxes of triangles.

use std::ops::ControlFlow;

use glam::DVec3;

use crate::Aabb;

/// A static binary tree of boxes, split at the median along the longest side.
pub struct Tree {
    nodes: Vec<Node>,
    /// Items in leaf order.
    items: Vec<u32>,
    /// Box of every item, in leaf order.
    boxes: Vec<Aabb>,
}

struct Node {
    aabb: Aabb,
    /// Largest lower and smallest upper bounds of the boxes below.
    inner: [DVec3; 2],
    /// First item and number of items below.
    start: u32,
    n: u32,
    /// The second child; the first follows its parent. 0 for a leaf.
    second: u32,
}

/// Items in a leaf: few enough that testing them costs about as much as two more levels.
const LEAF: usize = 4;

impl Tree {
    /// Builds the tree over some boxes; items are numbered as the boxes are.
    pub fn new(boxes: &[Aabb]) -> Self {
        let mut items: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut nodes = Vec::new();
        // Ranges still to be split, with the parent whose second child they are (the root has none).
        let mut open = vec![(0, boxes.len(), None)];
        while let Some((start, end, parent)) = open.pop() {
            let ix = nodes.len();
            if let Some(parent) = parent {
                let parent: &mut Node = &mut nodes[parent];
                parent.second = ix as u32;
            }
            let range = &mut items[start..end];
            let aabb = range.iter().fold(Aabb::EMPTY, |sum, &item| sum.union(&boxes[item as usize]));
            let inner = range.iter().fold([DVec3::NEG_INFINITY, DVec3::INFINITY], |[low, high], &item| {
                let aabb = &boxes[item as usize];
                [low.max(aabb.min), high.min(aabb.max)]
            });
            nodes.push(Node { aabb, inner, start: start as u32, n: (end - start) as u32, second: 0 });
            if range.len() <= LEAF {
                continue;
            }
            let size = aabb.half_size();
            let axis =
                if size.x >= size.y && size.x >= size.z { 0 } else { 1 + usize::from(size.z > size.y) };
            let center = |item: u32| boxes[item as usize].min[axis] + boxes[item as usize].max[axis];
            let middle = range.len() / 2;
            range.select_nth_unstable_by(middle, |&a, &b| center(a).total_cmp(&center(b)).then(a.cmp(&b)));
            open.push((start + middle, end, Some(ix)));
            open.push((start, start + middle, None));
        }
        let boxes = items.iter().map(|&item| boxes[item as usize]).collect();
        Self { nodes, items, boxes }
    }

    /// How many items have a box that meets the given one: exactly where `max_nodes` nodes of the tree tell, and otherwise
    /// at most.
    ///
    /// The number is no smaller than the true one, and how long it takes does not depend on how many items there are.
    pub fn count_meeting(&self, aabb: &Aabb, max_nodes: usize) -> usize {
        let (mut count, mut n_visited) = (0, 0);
        let mut open = vec![0];
        while let Some(ix) = open.pop() {
            let node: &Node = &self.nodes[ix as usize];
            let [low, high] = node.inner;
            if !node.aabb.meets(aabb) {
                continue;
            }
            n_visited += 1;
            let is_inside = low.cmple(aabb.max).all() && high.cmpge(aabb.min).all();
            if is_inside || n_visited > max_nodes {
                count += node.n as usize;
            } else if node.second != 0 {
                open.extend([node.second, ix + 1]);
            } else {
                let range = node.start as usize..(node.start + node.n) as usize;
                count += self.boxes[range].iter().filter(|item| item.meets(aabb)).count();
            }
        }
        count
    }

    /// Hands every item whose box meets the given one to `take`.
    pub fn each_meeting(&self, aabb: &Aabb, mut take: impl FnMut(u32)) {
        let _ = self.visit(
            |other| other.meets(aabb),
            |item| {
                take(item);
                ControlFlow::Continue(())
            },
        );
    }

    /// Hands every item whose box `is_near` to `take`, until that breaks off. The second part is the number of boxes that
    /// were asked for. Whatever holds a near box has to be near as well.
    pub fn visit(
        &self,
        is_near: impl Fn(&Aabb) -> bool,
        mut take: impl FnMut(u32) -> ControlFlow<()>,
    ) -> (ControlFlow<()>, usize) {
        let mut n_boxes = 0;
        let mut open = vec![0];
        while let Some(ix) = open.pop() {
            let node: &Node = &self.nodes[ix as usize];
            n_boxes += 1;
            if !is_near(&node.aabb) {
                continue;
            }
            if node.second != 0 {
                open.extend([node.second, ix + 1]);
                continue;
            }
            let range = node.start as usize..(node.start + node.n) as usize;
            n_boxes += range.len();
            for (item, item_box) in self.items[range.clone()].iter().zip(&self.boxes[range]) {
                if is_near(item_box) && take(*item).is_break() {
                    return (ControlFlow::Break(()), n_boxes);
                }
            }
        }
        (ControlFlow::Continue(()), n_boxes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tree_finds_what_a_search_of_all_boxes_finds() {
        let place = |k: f64| DVec3::new((k * 0.7).sin(), (k * 1.3).cos(), (k * 2.1).sin());
        let boxes: Vec<Aabb> = (0..500)
            .map(f64::from)
            .map(|k| Aabb::from_points([place(k), place(k) + 0.1 * place(k + 7.0)]))
            .collect();
        let tree = Tree::new(&boxes);
        for query in boxes.iter().map(|b| b.inflated(0.05)) {
            let mut found = Vec::new();
            tree.each_meeting(&query, |item| found.push(item));
            found.sort_unstable();
            let expected: Vec<u32> = (0..500).filter(|&ix| boxes[ix as usize].meets(&query)).collect();
            assert_eq!(found, expected);
            assert_eq!(tree.count_meeting(&query, usize::MAX), expected.len());
            assert!(tree.count_meeting(&query, 5) >= expected.len());
        }
    }
}
