import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { findNode, nodeFlags, root } from './install.mjs'

const pollMs = 500
/** Compiled code of earlier runs: a start takes a third less time. */
const compileCache = join(root, 'node_modules', '.cache', 'node')
/** The shell between npm and this process. Read before the packages are installed, which npm may not outlive. */
const shell = process.ppid

/**
 * Runs a script with the project's Node in the foreground: forwards signals, and exits with the script's code.
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
export function runInForeground(args, env = {}) {
  const isUnderNpm = process.env.npm_lifecycle_event !== undefined
  if (isUnderNpm && isShellGone()) process.exit(1)
  const child = spawn(findNode(), [...nodeFlags, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { NODE_COMPILE_CACHE: compileCache, ...process.env, ...env },
  })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
    process.on(signal, () => child.kill(signal))
  if (isUnderNpm) endWithShell(() => child.kill())
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

function isShellGone() {
  return process.ppid !== shell
}

/**
 * Calls `end` when the shell between npm and this process is gone: a signal sent to npm ends the shell, which does not
 * forward it.
 * @param {() => void} end
 */
function endWithShell(end) {
  const timer = setInterval(() => {
    if (!isShellGone()) return
    clearInterval(timer)
    end()
  }, pollMs)
}
