// A bundle has no file beside it; a package that is left as it is finds its WebAssembly by itself.
export default { serverExternalPackages: ['toolgate'] };
