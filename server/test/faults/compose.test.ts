import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { ask, cookiesOf } from '../ask.ts'
import { runServer } from '../children/run-server.ts'
import { makeFolder } from '../folders.ts'
import { findFreePort } from '../free-port.ts'
import { nameDatabase, runStatement, startPostgres } from '../postgres.ts'
import { startRedis } from '../redis.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const settings: Record<string, string> = {
  EARSHOT_HOST: 'music.example.org',
  POSTGRES_PASSWORD: 'password1',
  SECRET: 'a secret of at least 32 characters',
}

interface Compose {
  services: Record<string, { environment: Record<string, string> }>
}

/** Returns the environment of a service, its variables replaced as Compose does. */
function environmentOf(file: string, service: string): Record<string, string> {
  const { services } = parse(readFileSync(join(root, file), 'utf8'), { merge: true }) as Compose
  const fill = (value: string): string =>
    value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, name: string) => settings[name] ?? '')
  return Object.fromEntries(
    Object.entries(services[service]?.environment ?? {}).map(([name, value]) => [name, fill(value)]),
  )
}

/** Signs up as a browser behind Caddy does. */
async function signUpBehindCaddy(address: string) {
  const origin = 'https://music.example.org'
  return ask(`${address}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { origin, 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' },
    body: { name: 'ann', email: 'ann@example.org', password: 'correct horse' },
  })
}

it('16.99 the services of compose.cluster.yaml start with its environment, and share accounts', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  await runStatement(postgres.url, 'create database earshot')
  const local = { DATA_DIR: await makeFolder(), MUSIC_DIR: await makeFolder(), HOST: '127.0.0.1' }
  const ports: Record<string, string> = {
    'postgres:5432': new URL(nameDatabase(postgres.url, '')).host,
    'redis:6379': new URL(redis.url).host,
  }
  const start = async (service: string) => {
    const env = environmentOf('compose.cluster.yaml', service)
    expect(env).toMatchObject({ PUBLIC_URL: 'https://music.example.org', TRUST_PROXY: 'uniquelocal' })
    const reachable = Object.entries(env).map(([name, value]) => [
      name,
      Object.entries(ports).reduce((text, [from, to]) => text.replace(from, to), value),
    ])
    const port = String(await findFreePort())
    await runServer({ ...(Object.fromEntries(reachable) as typeof env), ...local, PORT: port })
    return `http://127.0.0.1:${port}`
  }
  const [first, second] = [await start('earshot-1'), await start('earshot-2')]
  const signedUp = await signUpBehindCaddy(first)
  expect(signedUp.status).toBe(200)
  expect(signedUp.headers.getSetCookie().every((line) => line.includes('Secure'))).toBe(true)
  const session = await ask(`${second}/api/auth/get-session`, { headers: { cookie: cookiesOf(signedUp) } })
  expect(session.json).toMatchObject({ user: { email: 'ann@example.org' } })
  expect((await ask(`${second}/readyz`)).json).toMatchObject({ checks: { redis: true, database: true } })
})
