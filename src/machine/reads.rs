//! Counts reads of parts and items in native builds with assertions, so that tests can bound how work grows.

/// Counts one read. Does nothing in the published builds.
#[inline]
pub(super) fn note_read() {
    #[cfg(all(debug_assertions, feature = "std"))]
    counted::READS.set(counted::READS.get() + 1);
}

/// How often this thread has read a part or an item.
#[cfg(all(debug_assertions, feature = "std"))]
#[doc(hidden)]
#[must_use]
pub fn reads() -> u64 {
    counted::READS.get()
}

#[cfg(all(debug_assertions, feature = "std"))]
mod counted {
    std::thread_local! {
        pub static READS: core::cell::Cell<u64> = const { core::cell::Cell::new(0) };
    }
}
