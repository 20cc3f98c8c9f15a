import { sql } from 'kysely'
import { describe, expect, inject, it, vi } from 'vitest'
import { shareApp, startApp } from '../../test/apps.ts'
import { ask } from '../../test/ask.ts'
import { captureLog } from '../../test/log.ts'
import { createPostgresDatabase, migratedTemplate, runStatement } from '../../test/postgres.ts'

const app = shareApp()

describe('GET /health', () => {
  it('7.24a is ok while the server and its database work', async () => {
    const answer = await ask(`${app.address}/health`)
    expect(answer).toMatchObject({ status: 200, json: { status: 'ok', database: 'ok' } })
    expect(answer.json).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      uptime: expect.any(Number),
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('16.229 names the commit that runs, where it is known', async () => {
    const { json: unknown } = await ask(`${app.address}/health`)
    expect(unknown).not.toHaveProperty('commit')
    const named = await startApp({ variables: { EARSHOT_COMMIT: '0123456789ab' } })
    expect((await ask(`${named.address}/health`)).json).toMatchObject({ commit: '0123456789ab' })
  })

  it('16.9 is complemented by /livez and /readyz, which names what fails', async () => {
    const app = await startApp(captureLog())
    expect(await ask(`${app.address}/livez`)).toMatchObject({ status: 200, json: { status: 'ok' } })
    expect(await ask(`${app.address}/readyz`)).toMatchObject({
      status: 200,
      json: { status: 'ok', checks: { database: true, writable: true, disk: true, accepting: true } },
    })
    await app.db.destroy()
    expect(await ask(`${app.address}/livez`)).toMatchObject({ status: 200 })
    // An answer is shared for a while.
    await vi.waitFor(async () =>
      expect(await ask(`${app.address}/readyz`)).toMatchObject({
        status: 503,
        json: { status: 'unavailable', checks: { database: false } },
      }),
    )
  })

  it('16.43 names a disk without space', async () => {
    const app = await startApp({ ...captureLog(), variables: { DISK_RESERVE_MB: '99999999' } })
    expect(await ask(`${app.address}/readyz`)).toMatchObject({
      status: 503,
      json: { checks: { database: true, writable: true, disk: false } },
    })
  })

  it('16.43 names a database that cannot be written', async () => {
    const databaseUrl = await createPostgresDatabase(inject('postgresUrl'), migratedTemplate)
    const name = new URL(databaseUrl).pathname.slice(1)
    await runStatement(databaseUrl, `alter database ${name} set default_transaction_read_only = on`)
    const app = await startApp({ ...captureLog(), databaseUrl })
    expect(await ask(`${app.address}/readyz`)).toMatchObject({
      status: 503,
      json: { checks: { database: true, writable: false } },
    })
    const user = { method: 'POST', body: { email: 'ann@example.org', password: 'correct horse' } }
    const signingUp = await ask(`${app.address}/api/auth/sign-up/email`, user)
    expect(signingUp).toMatchObject({ status: 503, json: { error: { code: 'unavailable' } } })
  })

  it('7.24a reports an unreachable database', async () => {
    const app = await startApp(captureLog())
    await app.db.destroy()
    const answer = await ask(`${app.address}/health`)
    expect(answer).toMatchObject({ status: 503, json: { status: 'unavailable', database: 'unreachable' } })
  })

  it('7.24a recovers after PostgreSQL has dropped its connections, idle ones and those in use', async () => {
    const { logger, lines } = captureLog()
    const serverUrl = inject('postgresUrl')
    const databaseUrl = await createPostgresDatabase(serverUrl, migratedTemplate)
    const app = await startApp({ databaseUrl, logger })
    expect((await ask(`${app.address}/health`)).status).toBe(200)
    const name = new URL(databaseUrl).pathname.slice(1)
    const line = { level: 40, msg: 'Database connection failed' }
    // Between two queries, no query rejects: the connection itself reports the error.
    const inUse = app.db.transaction().execute(async (transaction) => {
      await sql`select 1`.execute(transaction)
      await runStatement(
        serverUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      )
      await vi.waitFor(() => expect(lines).toContainEqual(expect.objectContaining(line)))
      await sql`select 1`.execute(transaction)
    })
    // The goodbye and the socket race to be lost first.
    await expect(inUse).rejects.toThrow(/connection|ECONNRESET/i)
    await vi.waitFor(async () => expect((await ask(`${app.address}/health`)).status).toBe(200))
  })

  it('7.24c, 2.38b can be read by pages of any origin, and answers OPTIONS', async () => {
    const origin = 'https://elsewhere.example'
    const reading = await ask(`${app.address}/health`, { headers: { origin } })
    expect(reading.headers.get('access-control-allow-origin')).toBe('*')
    for (const headers of [{ origin }, { origin, 'access-control-request-method': 'OPTIONS' }] as Record<
      string,
      string
    >[]) {
      const answer = await ask(`${app.address}/health`, { method: 'OPTIONS', headers })
      expect(answer.status).toBe(204)
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-allow-methods')).toContain('OPTIONS')
    }
  })

  it('7.24a is complemented by the polling probe of the realtime channel', async () => {
    const probe = await ask(`${app.address}/socket.io/?EIO=4&transport=polling`)
    expect(probe.status).toBe(200)
    expect(probe.text).toMatch(/^0\{"sid":/)
  })
})

describe('GET /metrics', () => {
  it('contains call durations by route, and process metrics', async () => {
    await ask(`${app.address}/api/rooms/some-room`)
    await ask(`${app.address}/api/nothing-here`)
    const { text, headers } = await ask(`${app.address}/metrics`)
    expect(headers.get('content-type')).toMatch(/^text\/plain/)
    expect(text).toContain(
      'earshot_http_seconds_count{method="GET",route="/api/rooms/:roomId",status="404"} 1',
    )
    expect(text).toContain('process_cpu_seconds_total')
    expect(text).not.toContain('some-room')
    expect(text).not.toContain('nothing-here')
  })

  it('16.45 are for this machine only, and not for requests through its proxy', async () => {
    const app = await startApp({ variables: { TRUST_PROXY: 'loopback' } })
    const url = `${app.address}/metrics`
    expect((await ask(url)).status).toBe(200)
    for (const header of ['x-forwarded-for', 'forwarded']) {
      const refused = await ask(url, { headers: { [header]: '127.0.0.1' } })
      expect(refused).toMatchObject({ status: 401, json: { error: { code: 'unauthenticated' } } })
    }
  })

  it('16.89 are refused with a line of the security log, and not one for each try', async () => {
    const { logger, lines } = captureLog()
    const app = await startApp({ logger, variables: { METRICS_TOKEN: 'a-token-for-the-monitoring' } })
    for (let count = 0; count < 25; count += 1) await ask(`${app.address}/metrics`)
    const logged = lines.filter(({ security }) => security === 'metrics_refused')
    expect(logged).toHaveLength(20)
    expect(logged[0]).toMatchObject({ address: '127.0.0.1' })
  })

  it('16.45 need the token where one is set', async () => {
    const token = 'a-token-for-the-monitoring'
    const app = await startApp({ variables: { METRICS_TOKEN: token } })
    const read = async (authorization?: string) =>
      (await ask(`${app.address}/metrics`, { headers: authorization ? { authorization } : {} })).status
    expect(await read()).toBe(401)
    expect(await read(`Bearer ${token}x`)).toBe(401)
    expect(await read(`Bearer ${token}`)).toBe(200)
  })

  it('contains the metrics of one server only, where a process runs several', async () => {
    const [first, second] = [await startApp(), await startApp()]
    await ask(`${first.address}/api/config`)
    expect((await ask(`${second.address}/metrics`)).text).not.toContain('route="/api/config"')
  })
})

describe('a server', () => {
  it('can be closed right after the start, and more than once', async () => {
    const { logger, lines } = captureLog('error')
    const app = await startApp({ logger })
    await app.close()
    await app.close()
    expect(lines).toEqual([])
    await expect(ask(`${app.address}/health`)).rejects.toThrow('fetch failed')
  })
})
