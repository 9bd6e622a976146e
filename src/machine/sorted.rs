//! Ordered lists of numbers.

use crate::prelude::*;

/// Different numbers in ascending order. They are mostly added at the end and removed at the beginning.
#[derive(Clone, Default, Debug)]
pub(super) struct SortedNumbers {
    numbers: Vec<u32>,
    /// How many of them, at the beginning, were removed. Never more than half.
    removed: usize,
}

impl SortedNumbers {
    /// The numbers in ascending order.
    pub fn as_slice(&self) -> &[u32] {
        &self.numbers[self.removed..]
    }

    /// Inserts a number, or removes it.
    pub fn set(&mut self, number: u32, is_in: bool) {
        match (self.as_slice().binary_search(&number), is_in) {
            (Err(place), true) => self.numbers.insert(self.removed + place, number),
            (Ok(place), false) => {
                if place == 0 {
                    self.removed += 1;
                } else {
                    self.numbers.remove(self.removed + place);
                }
                // Moving the rest only now makes a removal cost the same, however long the list is.
                if self.removed * 2 > self.numbers.len() {
                    self.numbers.copy_within(self.removed.., 0);
                    self.numbers.truncate(self.numbers.len() - self.removed);
                    self.removed = 0;
                }
            }
            (Ok(_), true) | (Err(_), false) => {}
        }
    }
}

impl PartialEq for SortedNumbers {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

#[cfg(test)]
mod tests {
    use super::SortedNumbers;
    use alloc::collections::BTreeSet;

    /// Tries every sequence of seven changes of three numbers.
    #[test]
    fn it_has_what_a_set_has_in_its_order() {
        for sequence in 0..6u32.pow(7) {
            let (mut numbers, mut set) = (SortedNumbers::default(), BTreeSet::new());
            for place in 0..7 {
                let change = sequence / 6u32.pow(place) % 6;
                let (number, is_in) = (change % 3, change < 3);
                numbers.set(number, is_in);
                if is_in {
                    set.insert(number)
                } else {
                    set.remove(&number)
                };
                assert!(numbers.as_slice().iter().eq(&set), "sequence {sequence}");
                assert!(numbers.removed * 2 <= numbers.numbers.len(), "sequence {sequence}");
            }
        }
    }
}
