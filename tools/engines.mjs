// Finds what the tests need besides packages - a browser, PostgreSQL, Redis and a sound server - and installs it
// with apt where that is allowed.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fail } from './install.mjs'

/** @param {string} name */
function isOnPath(name) {
  return (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name)))
}

function hasPostgres() {
  const versions = '/usr/lib/postgresql'
  const installed = existsSync(versions) ? readdirSync(versions) : []
  return (
    isOnPath('initdb') || installed.some((version) => existsSync(join(versions, version, 'bin', 'initdb')))
  )
}

const browsers = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']

/** The browser for the tests: CHROMIUM_PATH, or the first that is installed, or null. */
export function findBrowser() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  for (const folder of (process.env.PATH ?? '').split(':')) {
    for (const name of browsers) if (existsSync(join(folder, name))) return join(folder, name)
  }
  return null
}

const engines = [
  { name: 'Chromium', packages: ['chromium'], isThere: () => findBrowser() !== null },
  { name: 'PostgreSQL', packages: ['postgresql'], isThere: hasPostgres },
  { name: 'Redis', packages: ['redis-server'], isThere: () => isOnPath('redis-server') },
  {
    name: 'PulseAudio',
    packages: ['pulseaudio', 'pulseaudio-utils'],
    isThere: () => isOnPath('pulseaudio') && isOnPath('pactl') && isOnPath('parec'),
  },
]

/** The words that put a command into an administrator's hands without asking for a password, or null. */
function findPrivilege() {
  if (process.platform !== 'linux' || !isOnPath('apt-get')) return null
  if (process.getuid?.() === 0) return []
  return isOnPath('sudo') && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0
    ? ['sudo']
    : null
}

/** @param {string[]} privilege @param {string[]} packages */
function installPackages(privilege, packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', ...packages],
  ]) {
    const [command = 'apt-get', ...rest] = [...privilege, 'apt-get', ...args]
    execFileSync(command, rest, { stdio: ['ignore', 'ignore', 'inherit'], env })
  }
}

/** Installs what is missing, or ends with a message that says what to install. */
export function ensureEngines() {
  const missing = engines.filter((engine) => !engine.isThere())
  if (missing.length === 0) return
  const names = missing.map((engine) => engine.name).join(', ')
  const packages = missing.flatMap((engine) => engine.packages)
  const privilege = findPrivilege()
  if (privilege) {
    console.log(`Installing ${names} for the tests ...`)
    installPackages(privilege, packages)
  }
  const left = missing.filter((engine) => !engine.isThere())
  if (left.length === 0) return
  fail(
    `The tests need ${left.map((engine) => engine.name).join(', ')}. On Debian or Ubuntu: ` +
      `apt-get install ${left.flatMap((engine) => engine.packages).join(' ')}. ` +
      'A browser that lies elsewhere is named with CHROMIUM_PATH.',
  )
}
