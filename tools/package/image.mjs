// `npm run image`: builds the image where no registry can be reached, and starts it. Needs Debian, root, buildah and
// debootstrap. The base is a minimal Debian with the project's Node; the rest is the Dockerfile's last stage.
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fail, findNode, root } from '../install.mjs'
import { stage } from './stage.mjs'

const suite = process.env.SUITE ?? 'bookworm'
const storage = ['--storage-driver', 'vfs']
const baseName = 'localhost/earshot-base'
const imageName = 'localhost/earshot'
const port = 3999

/**
 * Runs a program, shows what it prints, and ends this one where it fails.
 * @param {string} program
 * @param {string[]} args
 * @param {{ isQuiet?: boolean }} [options] Returns the output instead of showing it.
 */
function run(program, args, { isQuiet = false } = {}) {
  const result = spawnSync(program, args, {
    encoding: 'utf8',
    stdio: ['ignore', isQuiet ? 'pipe' : 'inherit', 'inherit'],
  })
  if (result.status !== 0) fail(`${program} ${args[0]} failed: see the lines above.`)
  return (result.stdout ?? '').trim()
}

/** @param {string[]} args */
const buildah = (...args) => run('buildah', [...storage, ...args], { isQuiet: true })

/** @param {string} folder */
function sizeMb(folder) {
  return Number(run('du', ['-sm', folder], { isQuiet: true }).split('\t')[0])
}

/** @param {string} workspace */
function buildBase(workspace) {
  const rootFolder = join(workspace, 'base')
  run('debootstrap', ['--variant=minbase', suite, rootFolder])
  rmSync(join(rootFolder, 'var/cache/apt'), { recursive: true, force: true })
  cpSync(findNode(), join(rootFolder, 'usr/local/bin/node'))
  const container = buildah('from', 'scratch')
  buildah('copy', container, rootFolder, '/')
  buildah('commit', container, baseName)
  buildah('rm', container)
}

/** @param {string} workspace */
function buildImage(workspace) {
  const context = join(workspace, 'context')
  mkdirSync(context)
  stage(join(context, 'app'), { withNode: false })
  const lastStage =
    readFileSync(join(root, 'Dockerfile'), 'utf8')
      .split(/^FROM /m)
      .at(-1) ?? ''
  const file = `ARG BASE\nFROM ${lastStage.replace('COPY --from=build /app /app', 'COPY app /app')}`
  writeFileSync(join(context, 'Dockerfile'), file)
  const options = ['--isolation', 'chroot', '--format', 'docker', '--build-arg', `BASE=${baseName}`]
  buildah('build', ...options, '--tag', imageName, context)
  return sizeMb(join(context, 'app'))
}

/** Runs the image's files as a user without rights on a read-only root, as its healthcheck does. */
async function tryImage() {
  const container = buildah('from', imageName)
  const mounted = buildah('mount', container)
  const data = mkdtempSync(join(tmpdir(), 'earshot-image-data-'))
  run('chown', ['10001:10001', data])
  // A mount namespace of its own: the root is read-only there, but for the data and /tmp.
  const script = `mount --bind ${mounted} ${mounted} && mount --bind ${data} ${mounted}/data &&
    mount -t tmpfs tmpfs ${mounted}/tmp && chmod 1777 ${mounted}/tmp && mount -t proc proc ${mounted}/proc &&
    mount -o remount,ro,bind ${mounted} &&
    exec chroot --userspec=10001:10001 ${mounted} /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOST=127.0.0.1 \
      PORT=${port} DATA_DIR=/data MUSIC_DIR=/app/music NODE_COMPILE_CACHE=/tmp/compiled /app/earshot`
  const server = spawn('unshare', ['--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script], {
    detached: true,
    stdio: 'inherit',
  })
  try {
    await waitUntilReady()
    await checkMusic()
    console.log('The image is healthy, and has its demo tracks.')
  } finally {
    // The server changed its user, so it would outlive its parent.
    if (server.pid !== undefined) process.kill(-server.pid, 'SIGKILL')
    buildah('rm', container)
    rmSync(data, { recursive: true, force: true })
  }
}

async function waitUntilReady() {
  for (let attempt = 0; attempt < 120; attempt++) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
    if (answer?.ok) return
    await delay(500)
  }
  fail('The image did not become healthy within a minute.')
}

async function checkMusic() {
  const address = `http://127.0.0.1:${port}`
  const headers = { 'content-type': 'application/json', origin: address }
  const body = JSON.stringify({ email: 'image@example.org', password: 'correct horse' })
  const signedUp = await fetch(`${address}/api/auth/sign-up/email`, { method: 'POST', headers, body })
  if (!signedUp.ok) fail(`Could not sign up: ${signedUp.status}`)
  const cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  for (let attempt = 0; attempt < 60; attempt++) {
    const found = await fetch(`${address}/api/library`, { headers: { cookie } })
    if (found.ok && (await found.text()).includes('"id"')) return
    await delay(500)
  }
  fail('The demo tracks did not appear.')
}

if (process.getuid?.() !== 0) fail('The image is built with buildah as root.')
const workspace = mkdtempSync(join(tmpdir(), 'earshot-image-'))
try {
  const known = spawnSync('buildah', [...storage, 'inspect', '--type', 'image', baseName], {
    stdio: 'ignore',
  })
  if (known.status !== 0) buildBase(workspace)
  const megabytes = buildImage(workspace)
  console.log(`${imageName}: ${megabytes} MB on top of the base (goal: at most 250 MB)`)
  await tryImage()
} finally {
  if (existsSync(workspace)) rmSync(workspace, { recursive: true, force: true })
}
