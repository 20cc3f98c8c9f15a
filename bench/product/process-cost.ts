import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import WebSocket from 'ws'

/** Memory and processor time of a process, from Linux's /proc. */

const clockTicksPerSecond = 100

/** The memory that a process holds, in kB. */
export function readResidentKb(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))
  if (!line) throw new Error(`/proc has no memory figure of process ${pid}`)
  return Number(line[1])
}

/** The processor time that a process has used since it began, in ms: its own and the kernel's for it. */
export function readProcessorMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return ((Number(fields[11]) + Number(fields[12])) * 1_000) / clockTicksPerSecond
}

/** The processor time that all programs of the machine have used, in ms of one core. */
export function readMachineMs(): number {
  const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/ +/)
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = ticks.map(Number)
  return ((user + nice + system + irq + softirq) * 1_000) / clockTicksPerSecond
}

/** The Node flag that opens a process to `settle`. */
export const inspectFlag = (port: number) => `--inspect=127.0.0.1:${port}`

/** Runs a process's garbage collection twice and waits for the memory to be returned. */
export async function settle(inspectPort: number): Promise<void> {
  const targets = (await (await fetch(`http://127.0.0.1:${inspectPort}/json/list`)).json()) as {
    webSocketDebuggerUrl: string
  }[]
  const [target] = targets
  if (!target) throw new Error(`Nothing can be inspected on port ${inspectPort}`)
  const inspector = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise<void>((resolve, reject) => {
    inspector.on('open', resolve)
    inspector.on('error', reject)
  })
  for (let id = 1; id <= 2; id += 1) await collectGarbage(inspector, id)
  inspector.close()
  await delay(500)
}

function collectGarbage(inspector: WebSocket, id: number): Promise<void> {
  return new Promise((resolve) => {
    inspector.on('message', (data: Buffer) => {
      if ((JSON.parse(data.toString('utf8')) as { id?: number }).id === id) resolve()
    })
    inspector.send(JSON.stringify({ id, method: 'HeapProfiler.collectGarbage' }))
  })
}
