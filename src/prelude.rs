//! Items of the standard prelude that `core`'s prelude lacks, and some loops that take fewer bytes than the standard
//! library's, which are written for speed: `collect` asks every iterator how many items will follow, and `retain`
//! contains its closure twice. Together they were a tenth of the published file.

pub use alloc::boxed::Box;
pub use alloc::vec::Vec;

/// Collects items.
pub trait Listed: Iterator + Sized {
    /// The items in a list. Like `collect`, but the list grows as items come.
    fn listed(self) -> Vec<Self::Item> {
        let mut list = Vec::new();
        self.for_each(|item| list.push(item));
        list
    }
}

impl<I: Iterator> Listed for I {}

/// Removes items from a list.
pub trait Keep<T> {
    /// Removes the items that do not match, as `retain` does.
    fn keep(&mut self, matches: impl FnMut(&T) -> bool);
}

impl<T> Keep<T> for Vec<T> {
    fn keep(&mut self, mut matches: impl FnMut(&T) -> bool) {
        let mut kept = 0;
        for place in 0..self.len() {
            if matches(&self[place]) {
                self.swap(kept, place);
                kept += 1;
            }
        }
        self.truncate(kept);
    }
}

/// Fills a list up to a length.
pub trait Grow<T> {
    /// Adds copies of `value` until the list has this length, as `resize` does.
    fn grow(&mut self, length: usize, value: T);
}

impl<T: Clone> Grow<T> for Vec<T> {
    fn grow(&mut self, length: usize, value: T) {
        while self.len() < length {
            self.push(value.clone());
        }
    }
}

/// If there are more than twice as many events as `keep`, drops the oldest, so that `keep` remain. Returns how many it
/// dropped.
pub fn drop_oldest<T>(events: &mut Vec<T>, keep: usize) -> usize {
    let surplus = if events.len() > 2 * keep { events.len() - keep } else { 0 };
    events.drain(..surplus);
    surplus
}

/// Visits those of the options that have a value.
pub fn each_of<T: Copy>(options: &[Option<T>], each: &mut dyn FnMut(T)) {
    // `flatten` is longer in the published file.
    #[allow(clippy::manual_flatten)]
    for option in options {
        if let Some(value) = option {
            each(*value);
        }
    }
}
