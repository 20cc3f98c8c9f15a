// Finds the programs that tests need besides npm packages, and installs missing ones with apt where that is allowed.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fail } from './install.mjs'

/** Chromium without a user interface and without sound. Ubuntu has no package of it. */
const headlessShell = 'chromium-headless-shell'

/**
 * @typedef {'chromium' | 'headless-shell' | 'postgresql' | 'redis' | 'pulseaudio' | 'firefox' | 'webkit' | 'ffmpeg'}
 *   SystemProgram
 * @typedef {object} Program
 * @property {string[]} packages
 * @property {string} reason
 * @property {() => boolean} isInstalled
 * @property {boolean} [isOptional] The tests run without it too.
 */

/** @type {Record<SystemProgram, Program>} */
const programs = {
  chromium: {
    packages: ['chromium'],
    reason: 'the browser of the browser tests',
    isInstalled: () => findBrowser() !== null,
  },
  'headless-shell': {
    packages: [headlessShell],
    reason: 'runs the page tests in two thirds of the time',
    isInstalled: () => Boolean(process.env.CHROMIUM_PATH) || isOnPath(headlessShell),
    isOptional: true,
  },
  postgresql: {
    packages: ['postgresql'],
    reason: 'the server tests run on PostgreSQL as well as on SQLite',
    isInstalled: hasPostgres,
  },
  redis: {
    packages: ['redis-server'],
    reason: 'the tests of several server processes share state through Redis',
    isInstalled: () => isOnPath('redis-server'),
  },
  pulseaudio: {
    packages: ['pulseaudio', 'pulseaudio-utils'],
    reason: 'the sound tests record what browsers play',
    isInstalled: () => ['pulseaudio', 'pactl', 'parec'].every(isOnPath),
  },
  firefox: {
    packages: ['firefox-esr'],
    reason: 'the engine tests run in Firefox',
    isInstalled: () => isOnPath('firefox-esr'),
  },
  ffmpeg: {
    packages: ['ffmpeg'],
    reason: 'encodes the music of the sync-codecs measurement',
    isInstalled: () => isOnPath('ffmpeg'),
  },
  webkit: {
    packages: ['webkit2gtk-driver', 'gstreamer1.0-plugins-good', 'xvfb', 'xauth'],
    reason: 'the engine tests run in WebKit, on a display without a screen',
    isInstalled: () => ['WebKitWebDriver', 'xvfb-run', 'xauth'].every(isOnPath),
  },
}

/** @param {string[]} names */
function findOnPath(names) {
  const folders = (process.env.PATH ?? '').split(':')
  const paths = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  return paths.find((path) => existsSync(path)) ?? null
}

/** @param {string} name */
function isOnPath(name) {
  return findOnPath([name]) !== null
}

function hasPostgres() {
  const versions = '/usr/lib/postgresql'
  const installed = existsSync(versions) ? readdirSync(versions) : []
  return (
    isOnPath('initdb') || installed.some((version) => existsSync(join(versions, version, 'bin', 'initdb')))
  )
}

/** Returns the path of the browser for tests: CHROMIUM_PATH, or the first one on the PATH, or null. */
export function findBrowser() {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH
  return findOnPath(['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'])
}

/** Returns the path of the browser for tests without sound: the headless shell where it is installed. */
export function findPageBrowser() {
  return process.env.CHROMIUM_PATH ? findBrowser() : (findOnPath([headlessShell]) ?? findBrowser())
}

/** Returns the words to put before a command to run it as root without a password, or null where that is impossible. */
function findRootPrefix() {
  if (process.platform !== 'linux' || !isOnPath('apt-get')) return null
  if (process.getuid?.() === 0) return []
  const canSudo = isOnPath('sudo') && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0
  return canSudo ? ['sudo'] : null
}

const ownPath = fileURLToPath(import.meta.url)

const installArgs = ['install', '-y', '-qq', '--no-install-recommends']

/** @param {string[]} rootPrefix @param {string[]} packages */
function installWithApt(rootPrefix, packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [
    ['update', '-qq'],
    [...installArgs, ...packages],
  ]) {
    const [command = 'apt-get', ...rest] = [...rootPrefix, 'apt-get', ...args]
    execFileSync(command, rest, { stdio: ['ignore', 'ignore', 'inherit'], env })
  }
}

/**
 * Installs the missing ones of `names` with apt, after it has printed each package and its reason. With NO_INSTALL=1,
 * or without root, prints the command instead and ends the process. Optional ones are installed where apt has them.
 * @param {SystemProgram[]} names
 */
export function ensureSystemPackages(names) {
  const missing = names.map((name) => programs[name]).filter((program) => !program.isInstalled())
  if (missing.length === 0) return
  const rootPrefix = process.env.NO_INSTALL === '1' ? null : findRootPrefix()
  const required = missing.filter((program) => !program.isOptional)
  if (required.length > 0) installRequired(required, rootPrefix)
  if (!rootPrefix) return
  for (const program of missing) if (program.isOptional) installOptional(program, rootPrefix)
}

/**
 * Does so in a process of its own, while other work goes on.
 * @param {SystemProgram[]} names
 * @returns {Promise<boolean>} Whether the required ones are there; if not, the reason has been printed.
 */
export async function ensureSystemPackagesBeside(names) {
  if (names.every((name) => programs[name].isInstalled())) return true
  const child = spawn(process.execPath, [ownPath, ...names], { stdio: ['ignore', 'inherit', 'inherit'] })
  return await new Promise((resolve) => child.once('close', (code) => resolve(code === 0)))
}

/** @param {Program[]} missing @param {string[] | null} rootPrefix */
function installRequired(missing, rootPrefix) {
  const packages = missing.flatMap((program) => program.packages)
  console.log('These system packages are missing:')
  for (const program of missing) console.log(`  ${program.packages.join(', ')}: ${program.reason}`)
  const command = `apt-get ${installArgs.join(' ')} ${packages.join(' ')}`
  if (rootPrefix) {
    console.log(`Installing them (NO_INSTALL=1 prevents this): ${[...rootPrefix, command].join(' ')}`)
    installWithApt(rootPrefix, packages)
    if (missing.every((program) => program.isInstalled())) return
  }
  fail(
    `Install them and run the same command again. On Debian or Ubuntu:\n  sudo ${command}\n` +
      'CHROMIUM_PATH names a browser that is not on the PATH.',
  )
}

/** @param {Program} program @param {string[]} rootPrefix */
function installOptional({ packages, reason }, rootPrefix) {
  const isKnown = spawnSync('apt-cache', ['show', ...packages], { stdio: 'ignore' }).status === 0
  if (!isKnown) return
  console.log(`Installing ${packages.join(', ')} (NO_INSTALL=1 prevents this): ${reason}`)
  try {
    installWithApt(rootPrefix, packages)
  } catch {
    console.log('Could not install it; continuing without it.')
  }
}

if (process.argv[1] === ownPath) {
  ensureSystemPackages(/** @type {SystemProgram[]} */ (process.argv.slice(2)))
}
