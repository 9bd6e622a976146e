//! One macro for enums whose variants are listed, numbered or named somewhere else.

/// Defines an enum of plain variants with `ALL`, the list of them in order. A variant's number (`as u8`) is its place in
/// the list, so the list can never miss one. With texts, `as_str` gives each variant's, and `INTERFACE` tells the build
/// of the JavaScript bindings all of them: see `src/wasm/interface.rs`.
macro_rules! enumerated {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        enumerated! { $(#[$meta])* pub enum $name { $($(#[$doc])* $variant),+ } }

        impl $name {
            /// The variant as people read it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The enum's name and its texts in the order of their numbers, as a JSON array.
            pub const INTERFACE: &'static str =
                concat!("[\"enum\",\"", stringify!($name), "\"", $(",", stringify!($text),)+ "]");
        }
    };
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum $name { $($(#[$doc])* $variant),+ }

        impl $name {
            /// Every variant, in order.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];
        }
    };
}
pub(crate) use enumerated;
