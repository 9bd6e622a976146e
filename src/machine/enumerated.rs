//! A macro for enums whose variants are listed, numbered or named elsewhere.

/// Defines an enum of plain variants with `ALL`, the list of its variants in order. The number of a variant (`as u8`)
/// is its index in the list. With texts, `as_str` returns the text of a variant. `INTERFACE` lists the texts, or the
/// variants without texts, for the build of the JavaScript bindings: see `src/wasm/interface.rs`.
///
/// Snapshots contain these numbers. Adding, removing or moving a variant of an enum that the ledger saves needs the
/// next `VERSION` in `src/ts/gate/saved/snapshot.ts`; `tests/host/snapshot_layout.rs` fails until then, and
/// `tests/host/tables/snapshot.md` lists these enums.
macro_rules! enumerated {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        enumerated! { @listed $(#[$meta])* pub enum $name { $($(#[$doc])* $variant),+ } }

        impl $name {
            /// The variant's text.
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
        enumerated! { @listed $(#[$meta])* pub enum $name { $($(#[$doc])* $variant),+ } }

        impl $name {
            /// The enum's name and its variants in the order of their numbers, as a JSON array.
            pub const INTERFACE: &'static str =
                concat!("[\"variants\",\"", stringify!($name), "\"", $(",\"", stringify!($variant), "\"",)+ "]");
        }
    };
    (@listed $(#[$meta:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident),+ $(,)? }) => {
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
