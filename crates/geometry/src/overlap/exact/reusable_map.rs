//! An array that forgets its contents at once.

/// A sparse map from small numbers to values whose memory is kept from one use to the next.
///
/// Every cell carries the number of the use in which it was written; older cells count as absent, so that starting
/// afresh costs nothing however long the array is.
#[derive(Debug)]
pub(crate) struct ReusableMap<T> {
    use_number: u32,
    cells: Vec<(u32, T)>,
}

impl<T> Default for ReusableMap<T> {
    fn default() -> Self {
        Self { use_number: 0, cells: Vec::new() }
    }
}

impl<T: Copy + Default> ReusableMap<T> {
    /// Forgets everything and makes room for the keys below `len`.
    pub fn reset(&mut self, len: usize) {
        if self.use_number == u32::MAX {
            self.cells.clear();
            self.use_number = 0;
        }
        self.use_number += 1;
        if self.cells.len() < len {
            self.cells.resize(len, (0, T::default()));
        }
    }

    /// The value of a key, if it has been set since the last reset.
    #[inline]
    pub fn get(&self, key: u32) -> Option<T> {
        let (stamp, value) = self.cells[key as usize];
        (stamp == self.use_number).then_some(value)
    }

    /// The value of a key, worked out if it has not been set since the last reset.
    #[inline]
    pub fn get_or_set(&mut self, key: u32, value: impl FnOnce() -> T) -> &T {
        let cell = &mut self.cells[key as usize];
        if cell.0 != self.use_number {
            *cell = (self.use_number, value());
        }
        &cell.1
    }

    /// Whether the key has been set since the last reset.
    #[inline]
    pub fn contains(&self, key: u32) -> bool {
        self.cells[key as usize].0 == self.use_number
    }

    /// Sets the value of a key.
    #[inline]
    pub fn set(&mut self, key: u32, value: T) {
        self.cells[key as usize] = (self.use_number, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reset_forgets_and_survives_the_end_of_the_numbers() {
        let mut map = ReusableMap::<u8>::default();
        map.reset(3);
        map.set(1, 7);
        assert_eq!((map.get(1), map.get(2)), (Some(7), None));
        map.use_number = u32::MAX - 1;
        for _ in 0..3 {
            map.reset(3);
            assert!((0..3).all(|key| !map.contains(key)));
            map.set(2, 1);
        }
    }
}
