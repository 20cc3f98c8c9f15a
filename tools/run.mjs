import { spawn } from 'node:child_process'
import { findNode, nodeFlags, root } from './install.mjs'

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
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
