import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { Socket } from 'node:net'
import { createProxyServer } from 'httpxy'

const checkEveryMs = 500
const checkWithinMs = 2_000
const cookieName = 'earshot-process'

interface Target {
  index: number
  url: string
  /** Whether its process answers. */
  isAlive: boolean
  isReady: boolean
}

export interface Balancer {
  port: number
  /** Resolves when all targets are ready. */
  ready(): Promise<void>
  close(): Promise<void>
}

/**
 * Starts a small balancer, for trying a cluster and for tests: targets that are ready take turns, or, where none is,
 * those that are alive. A cookie keeps the requests of one long-polling connection at one target; WebSockets need
 * none.
 */
export async function startBalancer(options: {
  host: string
  port: number
  targets: string[]
}): Promise<Balancer> {
  const targets: Target[] = options.targets.map((url, index) => ({
    index,
    url,
    isAlive: false,
    isReady: false,
  }))
  const choose = createChoice(targets)
  const proxy = createProxyServer()
  const pass = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = choose(request)
    if (!target) return void response.writeHead(503, { 'retry-after': '1' }).end()
    if (isPolling(request))
      response.appendHeader('set-cookie', `${cookieName}=${target.index}; Path=/; HttpOnly`)
    try {
      await proxy.web(request, response, { target: target.url })
    } catch {
      giveUp(target)
      const canRepeat = request.method === 'GET' || request.method === 'HEAD'
      if (!response.headersSent && canRepeat) return pass(request, response)
      if (!response.headersSent) response.writeHead(502)
      response.end()
    }
  }

  const server = createServer((request, response) => {
    nameClient(request)
    void pass(request, response)
  })
  server.on('upgrade', (request, socket: Socket, head) => {
    nameClient(request)
    const target = choose(request)
    socket.on('error', () => {})
    if (!target) return void socket.end('HTTP/1.1 503 Service Unavailable\r\n\r\n')
    proxy.ws(request, socket, { target: target.url }, head).catch(() => {
      giveUp(target)
      socket.destroy()
    })
  })
  server.listen(options.port, options.host)
  await once(server, 'listening')
  const address = server.address()
  const checks = startChecks(targets)
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    ready: () => checks.ready(),
    async close() {
      checks.stop()
      server.close()
      server.closeAllConnections()
      proxy.close()
    },
  }
}

/** Sends nothing more to a target until it has answered a check. */
function giveUp(target: Target): void {
  target.isAlive = false
  target.isReady = false
}

/**
 * Prefers the target of a connection by long polling that is under way, else takes those that are ready in turn.
 * Where Redis or PostgreSQL is away none is ready, and all still serve pages and sound.
 */
function createChoice(targets: Target[]): (request: IncomingMessage) => Target | undefined {
  let turn = 0
  return (request) => {
    const isUnderWay = /[?&]sid=/.test(request.url ?? '')
    const named = new RegExp(`${cookieName}=(\\d+)`).exec(request.headers.cookie ?? '')?.[1]
    const same = isUnderWay ? targets[Number(named)] : undefined
    const ready = targets.filter((target) => target.isReady)
    const usable = ready.length > 0 ? ready : targets.filter((target) => target.isAlive)
    return same && usable.includes(same) ? same : usable[turn++ % usable.length]
  }
}

function isPolling({ url = '' }: IncomingMessage): boolean {
  return url.startsWith('/socket.io') && !/[?&]sid=/.test(url)
}

/** Replaces what a client claims about its address, which servers with TRUST_PROXY believe. */
function nameClient({ headers, socket }: IncomingMessage): void {
  headers['x-forwarded-for'] = socket.remoteAddress ?? ''
}

/** Asks the targets in intervals whether they are alive and ready. */
function startChecks(targets: Target[]) {
  const answers = async (url: string): Promise<boolean> => {
    try {
      return (await fetch(url, { signal: AbortSignal.timeout(checkWithinMs) })).ok
    } catch {
      return false
    }
  }
  const check = async (target: Target): Promise<void> => {
    const [isAlive, isReady] = await Promise.all([
      answers(`${target.url}/livez`),
      answers(`${target.url}/readyz`),
    ])
    Object.assign(target, { isAlive, isReady })
  }
  const checkAll = async (): Promise<void> => void (await Promise.all(targets.map(check)))
  const timer = setInterval(() => void checkAll(), checkEveryMs)
  return {
    async ready() {
      while (!targets.every(({ isReady }) => isReady)) await checkAll()
    },
    stop: () => clearInterval(timer),
  }
}
