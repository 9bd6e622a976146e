//! Ordered lists of keys and numbers.

use alloc::collections::VecDeque;

/// Inserts a key into an ordered list, or removes it: mostly at one of its ends.
pub(super) fn set_listed<T: Ord>(list: &mut VecDeque<T>, key: T, is_in: bool) {
    match (list.binary_search(&key), is_in) {
        (Err(place), true) => list.insert(place, key),
        (Ok(place), false) => {
            list.remove(place);
        }
        (Ok(_), true) | (Err(_), false) => {}
    }
}
