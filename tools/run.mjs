import { spawn } from 'node:child_process'
import { findNode, nodeFlags, root } from './install.mjs'

const pollMs = 500

/**
 * Runs a script with the project's Node in the foreground: forwards signals, and exits with the script's code.
 * @param {string[]} args
 * @param {Record<string, string>} [env]
 */
export function runInForeground(args, env = {}) {
  const child = spawn(findNode(), [...nodeFlags, ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM']))
    process.on(signal, () => child.kill(signal))
  if (process.env.npm_lifecycle_event) endWithShell(() => child.kill())
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

/**
 * Calls `end` when the shell between npm and this process is gone: a signal sent to npm ends the shell, which does not
 * forward it.
 * @param {() => void} end
 */
function endWithShell(end) {
  const shell = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === shell) return
    clearInterval(timer)
    end()
  }, pollMs)
}
