import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { makeFolder } from '../../test/folders.ts'
import type { EchoCalls } from '../../test/children/echo-worker.ts'
import { openWorker, type WorkerCalls, type WorkerOptions } from './worker-calls.ts'

function open(options: Partial<WorkerOptions> = {}): WorkerCalls<EchoCalls> {
  const module = new URL('../../test/children/echo-worker.ts', import.meta.url)
  const worker = openWorker<EchoCalls>(module, { timeoutMs: 20_000, maxHeapMb: 64, ...options })
  onTestFinished(() => worker.close())
  return worker
}

function messageOf(call: Promise<unknown>): Promise<string> {
  return call.then(() => 'resolved', String)
}

function countWorkers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length
}

it('returns results, errors and notices of a worker', async () => {
  const notices: unknown[] = []
  const worker = open({ onNotice: (notice) => notices.push(notice) })
  expect(await Promise.all([worker.call('echo', 'a'), worker.call('echo', 'b')])).toEqual(['a', 'b'])
  expect(notices).toEqual(['echo a', 'echo b'])
  await expect(worker.call('fail', 'no')).rejects.toThrow(RangeError)
})

it('rejects the calls of a worker that ends, and starts it again for the next', async () => {
  const worker = open()
  const hanging = messageOf(worker.call('hang', undefined))
  await expect(worker.call('exit', 3)).rejects.toThrow('code 3')
  expect(await hanging).toContain('code 3')
  expect(await worker.call('echo', 'again')).toBe('again')
})

it('ends a worker that takes too long, and rejects calls when it is closed', async () => {
  const slow = open({ timeoutMs: 1_500 })
  await expect(slow.call('hang', undefined)).rejects.toThrow('hang took longer than 1500 ms')
  const worker = open()
  const hanging = messageOf(worker.call('hang', undefined))
  await worker.close()
  expect(await hanging).toContain('closed')
  await expect(worker.call('echo', 'late')).rejects.toThrow('closed')
})

it('ends a worker that has nothing to do', async () => {
  const before = countWorkers()
  const worker = open({ idleMs: 10 })
  await worker.call('echo', 'a')
  // Fewer where one of an earlier test ended meanwhile.
  await vi.waitFor(() => expect(countWorkers()).toBeLessThanOrEqual(before))
  expect(await worker.call('echo', 'b')).toBe('b')
})

it('answers that come once their worker was ended do not end the next one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const [timeoutMs, idleMs] = [20_000, 5_000]
  const answers = Promise.withResolvers<void>()
  const notices: unknown[] = []
  const onNotice = (notice: unknown): void => {
    if (notices.push(notice) === 3) answers.resolve()
  }
  const worker = open({ timeoutMs, idleMs, onNotice })
  await worker.call('echo', 'started')
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const late = [1, 2].map(() => messageOf(worker.call('count', answered)))
  // Within a turn: this thread reads no answer until the time of the calls is over.
  for (let step = 0; step < 10; step += 1) await Promise.resolve()
  for (let count = 0; count < 2; count = Atomics.load(answered, 0)) Atomics.wait(answered, 0, count)
  vi.advanceTimersByTime(timeoutMs)
  for (const message of await Promise.all(late)) expect(message).toMatch(/took longer/)
  await answers.promise
  expect(notices).toEqual(['echo started', 'answered', 'answered'])

  await worker.call('echo', 'again')
  const hanging = messageOf(worker.call('hang', undefined))
  vi.advanceTimersByTime(idleMs)
  await worker.close()
  expect(await hanging).toContain('closed')
})

it('16.172 starts no second thread while the first hangs in a read of the disk', async () => {
  const fifo = join(await makeFolder(), 'hanging')
  execFileSync('mkfifo', [fifo])
  const worker = open({ timeoutMs: 1_500 })
  await expect(worker.call('read', fifo)).rejects.toThrow('read took longer')
  await expect(worker.call('echo', 'too early')).rejects.toThrow('echo took longer')
  await writeFile(fifo, 'the disk answers')
  // Until a thread has started in time, which takes long on a busy machine.
  expect(await vi.waitFor(() => worker.call('echo', 'a'))).toBe('a')
})
