//! The single entry into the core. A call, its arguments and its result are all numbers.
//!
//! wasm-bindgen checks the object again in every exported function, which costs about ninety bytes each, and there are
//! sixty methods. `pkg-scripts/lib/glue.mjs` makes a JavaScript method for each from `INTERFACE`, the list below.

use wasm_bindgen::prelude::*;

use super::Core;

/// A type that JavaScript passes as a number.
trait Number {
    fn of(number: f64) -> Self;
    fn number(self) -> f64;
}

macro_rules! numbers {
    ($($type:ty)*) => {$(
        impl Number for $type {
            fn of(number: f64) -> Self {
                number as Self
            }
            fn number(self) -> f64 {
                self as f64
            }
        }
    )*};
}

numbers! { u32 i32 usize f64 }

impl Number for bool {
    fn of(number: f64) -> Self {
        number != 0.0
    }
    fn number(self) -> f64 {
        f64::from(u8::from(self))
    }
}

impl Number for () {
    fn of(_: f64) {}
    fn number(self) -> f64 {
        0.0
    }
}

macro_rules! calls {
    ($($call:ident($($name:ident: $type:ty),*) $(-> $result:ty)?;)*) => {
        #[allow(non_camel_case_types)]
        #[repr(u32)]
        enum Call { $($call),* }

        /// Every call as `[name, result, [parameter, type]…]`, in order, in a JSON array: see `interface.rs`.
        #[allow(dead_code)] // only a custom section uses it, which the compiler does not count
        pub const INTERFACE: &str = concat!(
            "[\"calls\"",
            $(
                ",[\"", stringify!($call), "\",\"", $(stringify!($result),)? "\"",
                $(",[\"", stringify!($name), "\",\"", stringify!($type), "\"]",)*
                "]",
            )*
            "]"
        );

        #[wasm_bindgen]
        impl Core {
            /// Calls the method that has this number.
            #[allow(clippy::too_many_arguments)] // the longest method has seven
            pub fn call(&mut self, which: u32, a: f64, b: f64, c: f64, d: f64, e: f64, f: f64, g: f64) -> f64 {
                let result = self.dispatch(which, [a, b, c, d, e, f, g]);
                self.update_status();
                result
            }
        }

        impl Core {
            fn dispatch(&mut self, which: u32, given: [f64; 7]) -> f64 {
                $(if which == Call::$call as u32 {
                    let mut _next = given.into_iter();
                    $(let $name = <$type>::of(_next.next().unwrap_or(0.0));)*
                    return self.$call($($name),*).number();
                })*
                0.0
            }
        }
    };
}

// A method's index in this list is its number. Each is documented at its definition.
calls! {
    take_refusal() -> u32;
    save(numbers: u32, ids: u32, values: u32);
    follow(numbers: u32, ids: u32, values: u32) -> bool;
    save_changes(since: u32, numbers: u32, ids: u32, values: u32);
    change_clock() -> u32;
    follow_changes(numbers: u32, ids: u32, values: u32) -> bool;
    is_sound() -> bool;
    lead();
    live() -> u32;
    live_ids() -> u32;
    tick(now: f64);
    next_deadline() -> f64;
    receive(event: u32, now: f64, request: u32, attempt: u32, reconnect: u32) -> u32;
    name_message(id: u32);
    stream_ended(how: u32, request: u32, attempt: u32);
    reconnecting(request: u32, now: f64);
    make_room(count: usize) -> u32;
    load(history: u32, first: u32, count: u32, now: f64) -> u32;
    send_user_message(message: u32, id: u32, replace: u32) -> i32;
    regenerate(message_id: u32) -> i32;
    respond(approval: u32, approved: bool, reason: u32, as_shown: u32, edited: u32) -> i32;
    respond_all(approvals: u32, approved: bool, reason: u32) -> u32;
    approval_input(approval: u32) -> u32;
    requested_at(approval: u32) -> f64;
    expires_at(approval: u32) -> f64;
    extend(approval: u32, until: f64) -> i32;
    cancel(reason: u32, approval: u32, item: u32) -> i32;
    stop();
    resume();
    add_output(call: u32, output: u32, failed: bool, content: bool) -> i32;
    drop_turn() -> bool;
    outgoing(only: u32) -> u32;
    undelivered() -> u32;
    decisions(id: u32) -> u32;
    claim(id: u32) -> bool;
    is_taken(id: u32) -> bool;
    freeze(id: u32, body: u32, key: u32);
    mark_sent(id: u32) -> i32;
    mark_failed(id: u32, error: u32) -> i32;
    message_unread(id: u32);
    retry(id: u32) -> i32;
    remember(approval: u32, this_input: bool, always: bool, expires_at: f64, now: f64);
    add_remembered(tool: u32, digest: u32, approved: bool, reason: u32, always: bool, decided_at: f64, expires_at: f64);
    remembered() -> u32;
    forget(id: u32);
    is_writing() -> bool;
    rewrite(call: u32, text: u32) -> bool;
    status_place() -> u32;
    look() -> u32;
    message_count() -> usize;
    undecided() -> u32;
    call_place(call: u32) -> f64;
    part_count(message: usize) -> usize;
    message(message: usize, in_body: bool, from: usize) -> u32;
    entries(message: usize) -> u32;
    queued() -> u32;
    awaited(whom: u32) -> u32;
    take_events() -> u32;
}
