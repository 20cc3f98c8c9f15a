import { registerHooks } from 'node:module'
import { httpApi, type HttpCall } from '@earshot/core/protocol/http-api'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { shareApp, startApp } from '../../test/apps.ts'
import { ask } from '../../test/ask.ts'

const documentSchema = z.object({
  openapi: z.literal('3.1.0'),
  info: z.object({ title: z.string(), version: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.looseObject({
        summary: z.string(),
        tags: z.array(z.string()),
        security: z.array(z.unknown()).optional(),
        requestBody: z.looseObject({ content: z.record(z.string(), z.unknown()) }).optional(),
        parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).optional(),
        responses: z.record(z.string(), z.unknown()),
      }),
    ),
  ),
})

const documentOfSchemes = z.object({
  components: z.object({ securitySchemes: z.object({ session: z.object({ name: z.string() }) }) }),
})

function fieldsOf(schema: z.ZodType | undefined): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
}

const app = shareApp()

async function readDocument() {
  return documentSchema.parse((await ask(`${app.address}/api/openapi.json`)).json)
}

describe('the OpenAPI document', () => {
  it('describes each tag that a call has', async () => {
    const { paths, tags } = await readDocument()
    const used = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap((operation) => operation.tags),
    )
    expect(tags.map(({ name }) => name).toSorted()).toEqual([...new Set(used)].toSorted())
  })

  it('7.8 lists every call of the contract with its parameters, body and responses', async () => {
    const { paths } = await readDocument()
    const calls: HttpCall[] = Object.values(httpApi)
    const expected = calls.map((call) => ({
      call: `${call.method} ${call.path.replace(/:(\w+)/g, '{$1}')}`,
      summary: call.summary,
      isProtected: call.signedIn,
      hasBody: call.body !== undefined,
      parameters: [...fieldsOf(call.params), ...fieldsOf(call.query)].toSorted(),
      answers: ['200', 'default'],
    }))
    const described = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        call: `${method.toUpperCase()} ${path}`,
        summary: operation.summary,
        isProtected: operation.security !== undefined,
        hasBody: operation.requestBody !== undefined,
        parameters: (operation.parameters ?? []).map((parameter) => parameter.name).toSorted(),
        answers: Object.keys(operation.responses),
      })),
    )
    expect(described).toEqual(expect.arrayContaining(expected))
  })

  it.each([null, 'https://earshot.example.org'])(
    '16.287 names the cookie that a sign-in sets, with PUBLIC_URL %s',
    async (publicUrl) => {
      const named = publicUrl === null ? app : await startApp({ variables: { PUBLIC_URL: publicUrl } })
      const signedUp = await ask(`${named.address}/api/auth/sign-up/email`, {
        method: 'POST',
        headers: { origin: publicUrl ?? named.address },
        body: { email: 'ann@example.org', password: 'correct horse' },
      })
      const { components } = documentOfSchemes.parse((await ask(`${named.address}/api/openapi.json`)).json)
      const { name } = components.securitySchemes.session
      const [cookie] = signedUp.headers.getSetCookie()
      expect(cookie?.split('=')[0]).toBe(name)
    },
  )

  it('7.8 states the bytes that audio and covers are, and who gets them', async () => {
    const { paths } = await readDocument()
    const describe = (name: string) => {
      const { responses, security } = paths[`/api/tracks/{trackId}/${name}`]!['get']!
      return { answers: Object.keys(responses), security }
    }
    const session = { session: [] }
    const ofSound = { answers: ['200', '206', '304', 'default'], security: [session] }
    expect(describe('audio')).toEqual(ofSound)
    expect(describe('stream')).toEqual(ofSound)
    expect(describe('art')).toEqual({ answers: ['200', '304', 'default'], security: [session, {}] })
    expect(JSON.stringify(paths['/api/tracks/{trackId}/stream'])).toContain('"audio/*"')
  })

  it('7.8 lists the sign-in calls', async () => {
    const { paths } = await readDocument()
    expect(paths['/api/auth/sign-in/email']?.['post']?.requestBody).toMatchObject({
      content: {
        'application/json': { schema: { required: expect.arrayContaining(['email', 'password']) } },
      },
    })
    expect(paths['/api/auth/sign-up/email']?.['post']).toBeDefined()
    expect(paths['/api/auth/sign-out']?.['post']).toBeDefined()
    const { responses } = paths['/api/auth/sign-in/email']!['post']!
    expect(Object.keys(responses)).toEqual(['200', 'default'])
    expect(JSON.stringify(responses['default'])).toContain('"message"')
  })
})

describe('the API docs page', () => {
  it('15.100 is made in a worker, once: its module and its script are not loaded on the main thread', async () => {
    const resolved: string[] = []
    const hooks = registerHooks({
      resolve: (specifier, context, next) => {
        resolved.push(specifier)
        return next(specifier, context)
      },
    })
    onTestFinished(() => hooks.deregister())
    const countWorker = vi.fn<() => void>()
    process.on('worker', countWorker)
    onTestFinished(() => void process.off('worker', countWorker))
    const script = await ask(`${app.address}/api/docs/js/scalar.js`)
    expect(script.text.length).toBeGreaterThan(1_000_000)
    expect(resolved.filter((specifier) => specifier.includes('@scalar/'))).toEqual([])
    const headers = { 'if-none-match': script.headers.get('etag') ?? '' }
    expect((await ask(`${app.address}/api/docs/js/scalar.js`, { headers })).status).toBe(304)
    // No test before this one has asked for the page.
    expect(countWorker).toHaveBeenCalledOnce()
  })

  it('7.8 is served, and loads nothing from other hosts', async () => {
    const redirected = await ask(`${app.address}/api/docs`)
    expect(redirected.headers.get('location')).toBe('/api/docs/')
    const page = await ask(`${app.address}/api/docs/`)
    expect(page.status).toBe(200)
    expect(page.text).toContain('/api/openapi.json')
    expect(page.text).not.toMatch(/(?:src|href)=["']?(?:https?:)?\/\//)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).not.toMatch(/https?:|\*/)
    expect(policy).not.toMatch(/script-src[^;]*unsafe/)
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1]
    expect(page.text).toContain(`nonce="${nonce}"`)
    const script = await ask(
      new URL(/src="([^"]+)"/.exec(page.text)?.[1] ?? '', `${app.address}/api/docs/`).href,
    )
    expect(script).toMatchObject({ status: 200 })
    expect(script.headers.get('content-type')).toMatch(/javascript/)
  })

  it.each(['/api/openapi.json', '/api/docs/js/scalar.js'])(
    '16.321 %s is compressed once: every request gets the same bytes, of a known length',
    async (path) => {
      const read = async (encoding: string) => {
        const { headers, text } = await ask(app.address + path, { headers: { 'accept-encoding': encoding } })
        return { text, length: Number(headers.get('content-length')), as: headers.get('content-encoding') }
      }
      const whole = await read('identity')
      expect(whole).toMatchObject({ as: null, length: Buffer.byteLength(whole.text) })
      for (const encoding of ['br', 'gzip']) {
        const compressed = await read(encoding)
        expect(compressed).toMatchObject({ as: encoding, text: whole.text })
        expect(compressed.length).toBeGreaterThan(0)
        expect(compressed.length).toBeLessThan(whole.length / 2)
        expect((await read(encoding)).length).toBe(compressed.length)
      }
      expect((await read('br;q=0')).as).toBeNull()
      const { headers } = await ask(app.address + path, { headers: { 'accept-encoding': 'br' } })
      expect(headers.get('vary')?.toLowerCase().split(', ')).toEqual(['origin', 'accept-encoding'])
    },
  )
})
