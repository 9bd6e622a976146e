//! Handles to values of the host, which the machine stores but never reads.

/// A value of the host, by number: a tool input, an output, a reason, or the envelope of an approval.
///
/// The host stores values in a table and gives the machine their indices. So a value comes back as the identical
/// object, whatever it contains, and a checker can explore the machine without values.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Payload(pub u32);

impl Payload {
    /// Index 0 is `undefined`: no value.
    pub const NONE: Payload = Payload(0);

    /// Whether this is a value, and not `NONE`.
    #[must_use]
    pub fn is_some(self) -> bool {
        self != Self::NONE
    }
}
