import { type IncomingHttpHeaders, request } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

export interface HttpResponse {
  status: number
  headers: IncomingHttpHeaders
  body: unknown
}

export interface HttpRequest {
  method: 'GET' | 'POST'
  /** The whole address. */
  url: string
  body?: unknown
  cookie?: string
  /** The loopback address to come from (127.0.0.0/8): the server counts requests by it. */
  from?: string
  headers?: Record<string, string>
}

/** Sends a request, and repeats it after 429. Rejects for any other status but 2xx and 304. */
export async function callApi(request: HttpRequest): Promise<HttpResponse> {
  for (;;) {
    const answer = await send(request)
    if ((answer.status >= 200 && answer.status < 300) || answer.status === 304) return answer
    if (answer.status !== 429) {
      throw new Error(`${request.method} ${request.url}: ${answer.status} ${JSON.stringify(answer.body)}`)
    }
    await delay(readRetryAfterMs(answer))
  }
}

function readRetryAfterMs(answer: HttpResponse): number {
  const seconds = Number(answer.headers['retry-after'] ?? answer.headers['x-retry-after'])
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 1_000
}

function send({ method, url, body, cookie, from, headers }: HttpRequest): Promise<HttpResponse> {
  const content = body === undefined ? null : JSON.stringify(body)
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method,
      ...(from ? { localAddress: from } : {}),
      headers: {
        origin: new URL(url).origin,
        ...(cookie ? { cookie } : {}),
        ...(content === null ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: parse(text) })
      })
    })
    sent.end(content)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
