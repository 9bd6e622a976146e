# Sourced by every script: finds cargo and Node, or fails with a message that says what to install.

fail() {
  echo "toolgate: $1" >&2
  exit 1
}

if ! command -v cargo >/dev/null 2>&1 && [ -f "${CARGO_HOME:-$HOME/.cargo}/env" ]; then
  . "${CARGO_HOME:-$HOME/.cargo}/env"
fi
command -v cargo >/dev/null 2>&1 ||
  fail 'Rust is missing. Install it with rustup (https://rustup.rs), then run this again.'
command -v node >/dev/null 2>&1 && command -v npm >/dev/null 2>&1 ||
  fail 'Node is missing. Install Node 20.19, 22.12 or newer with npm (https://nodejs.org), then run this again.'
node -e '
  const [major, minor] = process.versions.node.split(".").map(Number);
  process.exit(major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19) ? 0 : 1);
' || fail "Node $(node --version) is too old for the build tools. Install Node 20.19, 22.12 or newer (https://nodejs.org), then run this again."
