//! Handles to values that the machine carries but never looks into.

/// A tool input, an output, a reason, an approval's envelope: any value of the host, by number.
///
/// The host keeps the values in a table and gives the machine their places in it. So a value comes
/// back as the very object that went in, whatever it holds, and the machine can be explored by a
/// checker that has no values at all.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Payload(pub u32);

impl Payload {
    /// The place of `undefined`: no value.
    pub const NONE: Payload = Payload(0);

    /// Whether this is a value at all.
    #[must_use]
    pub fn is_some(self) -> bool {
        self != Self::NONE
    }
}
