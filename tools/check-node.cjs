// Loaded before the npm commands, by `node --require`. In old syntax and without packages: a Node that is too old for
// the commands can still read it.
'use strict'

/**
 * Returns what to do about a Node that is too old, or null. For an older one npm leaves out the parts of Vite that are
 * compiled for the machine. With the packages comes the Node that runs everything else.
 * @param {string} version Such as 12.22.9.
 */
function describeOldNode(version) {
  const parts = version.split('.').map(Number)
  const major = parts[0] || 0
  const minor = parts[1] || 0
  if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) return null
  return (
    'Earshot needs Node 20.19, 22.12 or newer with npm, and this is Node ' +
    version +
    '. Install Node 24, for example from https://nodejs.org/en/download, and run the same command again.'
  )
}

const problem = describeOldNode(process.versions.node)
if (problem !== null) {
  console.error('\n' + problem)
  process.exit(1)
}

module.exports = { describeOldNode }
