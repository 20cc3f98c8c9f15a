import { describe, expect, it } from 'vitest'
import { checkCors, checkHealth, type Ask } from '../http-checks.ts'
import { describeCors, describeHealth } from './http-outcomes.ts'

const server = 'https://one.example'
const page = 'https://elsewhere.example'
const header = 'access-control-allow-origin'

const refuse: Ask = () => Promise.reject(new TypeError('Failed to fetch'))
const answerWith =
  (headers: Record<string, string>): Ask =>
  async () =>
    new Response(null, { status: 204, headers })

/** A browser that lets nothing be read, though the server is there. */
const keepBack: Ask = async (url, init) => {
  if (init.mode === 'no-cors') return new Response(null)
  return refuse(url, init)
}

describe('the health check', () => {
  it('2.38b, 7.24a says what the server says of itself', async () => {
    const asked: string[] = []
    const report = await checkHealth(server, async (url) => {
      asked.push(url)
      return Response.json({ status: 'ok' })
    })
    expect(asked).toEqual(['https://one.example/health'])
    expect(report).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(describeHealth(server, report)).toMatchObject({ kind: 'success', title: 'Server is healthy' })
  })

  it('tells a server that is ill from one that is gone', async () => {
    const ill = await checkHealth(server, async () =>
      Response.json({ status: 'unavailable' }, { status: 503 }),
    )
    expect(describeHealth(server, ill)).toMatchObject({ kind: 'error', title: 'Server is not healthy' })
    expect(describeHealth(server, await checkHealth(server, refuse))).toEqual({
      kind: 'error',
      title: 'Health check failed',
      text: 'one.example could not be reached over HTTP.',
    })
  })

  it('shows an answer that is no JSON without it', async () => {
    const report = await checkHealth(server, async () => new Response('<html>'))
    expect(describeHealth(server, report)).toMatchObject({ kind: 'success', details: undefined })
  })
})

describe('the CORS check', () => {
  const check = async (of: string, ask: Ask) => describeCors(of, await checkCors(of, page, ask))

  it('2.38b, 8.16b reads the header of the own server', async () => {
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

  it('2.38b, 8.16b takes what can be read of another server for its consent', async () => {
    expect(await check(server, answerWith({}))).toMatchObject({
      title: 'CORS is enabled',
      text: 'The browser let this page read an answer of one.example.',
    })
    expect(await check(server, keepBack)).toMatchObject({ title: 'CORS is not enabled' })
  })

  it('8.16b fails where nobody answers', async () => {
    for (const of of [page, server]) {
      expect(await check(of, refuse)).toMatchObject({ kind: 'error', title: 'CORS check failed' })
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
