import { once } from 'node:events'
import { type Socket, connect, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

/** A TCP connection between two programs that a test can break. Ends with the test. */
export interface Link {
  port: number
  /** Resets all connections, and refuses new ones until `restore`. */
  cut(): void
  /** Passes nothing more in either direction, without a word to either side, until `restore`: as a lost route. */
  stall(): void
  restore(): void
  /** Resets all connections, and passes new ones to another port. */
  redirect(port: number): void
  /** Passes new connections to another port, as a name that leads elsewhere by now; those that are open stay. */
  retarget(port: number): void
}

/** How long an answer of the target takes, ms, by what was sent to it last on the same connection. */
export type AnswerDelay = (question: string) => number

/** Opens a link to a port of the loopback address. Each connection delays its answers by itself and keeps their order. */
export async function openLink(targetPort: number, answersAfterMs?: AnswerDelay): Promise<Link> {
  let target = targetPort
  let state: 'open' | 'cut' | 'stalled' = 'open'
  const pairs = new Set<[Socket, Socket]>()
  const reset = (): void => {
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy()
    pairs.clear()
  }
  const setStalled = (pair: [Socket, Socket], isStalled: boolean): void => {
    for (const socket of pair) {
      if (isStalled) socket.pause()
      else socket.resume()
    }
  }

  const server = createServer((near) => {
    if (state === 'cut') return void near.resetAndDestroy()
    const far = connect(target, '127.0.0.1')
    const pair: [Socket, Socket] = [near, far]
    pairs.add(pair)
    if (answersAfterMs) passSlowly(pair, answersAfterMs)
    for (const [from, to] of [pair, [far, near] as const]) {
      if (!answersAfterMs) from.on('data', (chunk) => to.write(chunk))
      from.on('error', () => to.resetAndDestroy())
      from.on('close', () => {
        pairs.delete(pair)
        to.destroy()
      })
    }
    if (state === 'stalled') setStalled(pair, true)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    reset()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A link has no port')
  return {
    port: address.port,
    cut() {
      state = 'cut'
      reset()
    },
    stall() {
      state = 'stalled'
      for (const pair of pairs) setStalled(pair, true)
    },
    restore() {
      state = 'open'
      for (const pair of pairs) setStalled(pair, false)
    },
    redirect(port) {
      target = port
      reset()
    },
    retarget: (port) => void (target = port),
  }
}

function passSlowly([near, far]: [Socket, Socket], answersAfterMs: AnswerDelay): void {
  let question = ''
  let passed: Promise<unknown> = Promise.resolve()
  near.on('data', (chunk: Buffer) => {
    question = chunk.toString('latin1')
    far.write(chunk)
  })
  far.on('data', (chunk: Buffer) => {
    const waited = delay(answersAfterMs(question))
    passed = passed.then(() => waited).then(() => near.write(chunk))
  })
}

/** Returns an address with another port. */
export function withPort(url: string, port: number): string {
  const changed = new URL(url)
  changed.port = String(port)
  return changed.href
}
