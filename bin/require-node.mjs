// Ends with a sentence on a Node that is too old. Imports nothing and uses old syntax only, so that any Node gets this far.
const least = [20, 19]
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < least[0] || (major === least[0] && minor < least[1])) {
  process.stderr.write(
    `Carrel needs Node ${least.join('.')} or newer; this is ${process.versions.node}. Install a newer one from https://nodejs.org.\n`,
  )
  process.exit(1)
}
