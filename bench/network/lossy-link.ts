import type { Clock } from '@earshot/core/clock'
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Defer } from '../defer.ts'
import { type PacketConditions, type RelayEnd, startPacketRelay } from './packet-path.ts'

const run = promisify(execFile)

/** A network namespace whose only link delays and loses packets. */
export interface LossyLink {
  /** The address of this side, seen from the namespace. */
  address: string
  /** Returns the path of a program that runs `program` in the namespace. */
  wrap(program: string): string
}

/** Of the range that is set apart for measuring networks (RFC 2544). */
const [nearAddress, farAddress] = ['198.18.77.1', '198.18.77.2']
const deviceTimeoutMs = 5_000

/** Returns the reason why no link can be created here; null where it can. */
export function whyNoLossyLink(): string | null {
  if (process.getuid?.() !== 0) return 'only root may make network devices'
  try {
    accessSync('/dev/net/tun', constants.R_OK | constants.W_OK)
  } catch {
    return 'there is no /dev/net/tun'
  }
  for (const [program, argument] of [
    ['socat', '-V'],
    ['ip', '-V'],
  ] as const) {
    try {
      execFileSync(program, [argument], { stdio: 'ignore' })
    } catch {
      return `the program ${program} is not installed`
    }
  }
  return null
}

/**
 * Makes a network namespace and a TUN device in it and one here; what goes into one comes out of the other after the
 * packet relay. It is all gone when `defer` says so.
 */
export async function openLossyLink(
  defer: Defer,
  options: { clock: Clock; seed: number; conditions: PacketConditions },
): Promise<LossyLink> {
  const relay = await startPacketRelay(options)
  defer(() => relay.close())
  const namespace = `earshot-bench-${process.pid}`
  const [near, far] = [`esn${process.pid}`, `esf${process.pid}`]
  await run('ip', ['netns', 'add', namespace])
  defer(() => run('ip', ['netns', 'delete', namespace]))
  // The far end first: a packet for a device that is down would end its socat.
  await openDevice(defer, far, relay.ends[1])
  await run('ip', ['link', 'set', far, 'netns', namespace])
  const inside = ['-n', namespace]
  await run('ip', [...inside, 'address', 'add', farAddress, 'peer', nearAddress, 'dev', far])
  await run('ip', [...inside, 'link', 'set', far, 'up'])
  await run('ip', [...inside, 'link', 'set', 'lo', 'up'])
  await openDevice(defer, near, relay.ends[0])
  await run('ip', ['address', 'add', nearAddress, 'peer', farAddress, 'dev', near])
  const folder = mkdtempSync(join(tmpdir(), 'earshot-link-'))
  defer(() => rmSync(folder, { recursive: true, force: true }))
  return { address: nearAddress, wrap: (program) => writeWrapper(folder, namespace, program) }
}

/** A TUN device whose packets go to the relay's end, one a datagram. Resolves when it is there. */
async function openDevice(defer: Defer, name: string, { relayPort, devicePort }: RelayEnd): Promise<void> {
  const socat = spawn(
    'socat',
    [
      `TUN,tun-name=${name},tun-type=tun,iff-no-pi,iff-up`,
      `UDP4-DATAGRAM:127.0.0.1:${relayPort},bind=127.0.0.1:${devicePort}`,
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  )
  defer(async () => {
    if (socat.exitCode !== null || socat.signalCode !== null) return
    const ended = once(socat, 'exit')
    socat.kill('SIGTERM')
    await ended
  })
  const giveUpAt = performance.now() + deviceTimeoutMs
  while (performance.now() < giveUpAt && socat.exitCode === null) {
    // It is up once socat has finished with it: earlier it must not be moved.
    const { stdout } = await run('ip', ['link', 'show', name, 'up']).catch(() => ({ stdout: '' }))
    if (stdout !== '') return
    await delay(20)
  }
  throw new Error(`There was no network device ${name} within ${deviceTimeoutMs} ms`)
}

function writeWrapper(folder: string, namespace: string, program: string): string {
  const path = join(folder, 'in-namespace')
  writeFileSync(path, `#!/bin/sh\nexec ip netns exec ${namespace} '${program}' "$@"\n`, { mode: 0o755 })
  return path
}
