import { describe, expect, it } from 'vitest'
import { type SendRequest, checkCors, checkHealth } from '../http-checks.ts'
import { describeCors, describeHealth } from './cors-tests.tsx'

const server = 'https://one.example'
const page = 'https://elsewhere.example'
const header = 'access-control-allow-origin'

const fail: SendRequest = () => Promise.reject(new TypeError('Failed to fetch'))
const answerWith =
  (headers: Record<string, string>): SendRequest =>
  async () =>
    new Response(null, { status: 204, headers })

/** A reachable server whose answers the browser blocks. */
const blockReading: SendRequest = async (url, init) => {
  if (init.mode === 'no-cors') return new Response(null)
  return fail(url, init)
}

describe('the health check', () => {
  it('2.38b, 7.24a reports the health of a server', async () => {
    const requested: string[] = []
    const report = await checkHealth(server, async (url) => {
      requested.push(url)
      return Response.json({ status: 'ok' })
    })
    expect(requested).toEqual(['https://one.example/health'])
    expect(report).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(describeHealth(server, report)).toMatchObject({ kind: 'success', title: 'Server is healthy' })
  })

  it('7.24b both checks send the version of the client', async () => {
    const versions: unknown[] = []
    const note: SendRequest = async (_url, { method = 'GET', headers }) => {
      versions.push([method, new Headers(headers).get('x-client-version')])
      return new Response(null)
    }
    await checkHealth(server, note)
    await checkCors(server, page, note)
    expect(versions).toEqual([
      ['GET', '2.0.0'],
      ['OPTIONS', '2.0.0'],
    ])
  })

  it('distinguishes an unhealthy server from an unreachable one', async () => {
    const unhealthy = await checkHealth(server, async () =>
      Response.json({ status: 'unavailable' }, { status: 503 }),
    )
    expect(describeHealth(server, unhealthy)).toMatchObject({ kind: 'error', title: 'Server is not healthy' })
    expect(describeHealth(server, await checkHealth(server, fail))).toEqual({
      kind: 'error',
      title: 'Health check failed',
      text: 'one.example could not be reached over HTTP.',
    })
  })

  it('leaves out an answer that is not JSON', async () => {
    const report = await checkHealth(server, async () => new Response('<html>'))
    expect(describeHealth(server, report)).toMatchObject({ kind: 'success', details: undefined })
  })
})

describe('the CORS check', () => {
  const check = async (of: string, send: SendRequest) => describeCors(of, await checkCors(of, page, send))

  it('2.38b, 8.16b reads the header on the same origin', async () => {
    expect(await check(page, answerWith({ [header]: '*' }))).toMatchObject({
      title: 'CORS is enabled',
      text: 'access-control-allow-origin: *',
    })
    expect(await check(page, answerWith({}))).toMatchObject({
      kind: 'error',
      title: 'CORS is not enabled',
      text: 'The answer has no header access-control-allow-origin.',
    })
  })

  it('2.38b, 8.16b treats a readable answer of another origin as enabled', async () => {
    expect(await check(server, answerWith({}))).toMatchObject({
      title: 'CORS is enabled',
      text: 'The browser let this page read an answer of one.example.',
    })
    expect(await check(server, blockReading)).toMatchObject({ title: 'CORS is not enabled' })
  })

  it('8.16b fails when the server cannot be reached', async () => {
    for (const of of [page, server]) {
      expect(await check(of, fail)).toMatchObject({ kind: 'error', title: 'CORS check failed' })
    }
  })

  it('7.24c asks with OPTIONS', async () => {
    const methods: unknown[] = []
    await checkCors(server, page, async (_url, { method }) => {
      methods.push(method)
      return new Response(null)
    })
    expect(methods).toEqual(['OPTIONS'])
  })
})
