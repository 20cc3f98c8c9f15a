import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeFolder, writeIn } from '../../../test/folders.ts'
import { watchFolder } from './folder-watch.ts'

const clock = {
  now: () => performance.now(),
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** Watches a folder. Returns a function that runs an action and waits for the report of a change. */
async function startWatch(folder: string): Promise<(act: () => Promise<unknown>) => Promise<boolean>> {
  let told = 0
  const errors: unknown[] = []
  const onChange = (): number => (told += 1)
  const onError = (error: unknown): number => errors.push(error)
  const end = watchFolder({ folder, clock, settleMs: 20, debounceMs: 10, onChange, onError })
  onTestFinished(async () => {
    await end()
    expect(errors).toEqual([])
  })
  await vi.waitUntil(() => told === 1, { timeout: 5_000 })
  return async (act) => {
    const before = told
    await act()
    return vi.waitUntil(() => told > before, { timeout: 5_000 })
  }
}

describe('watching the music folder', () => {
  it('reports files that are added, changed, renamed and removed, at any depth', async () => {
    const folder = await makeFolder()
    await writeIn(folder, 'a/b/one.mp3', 'x')
    const told = await startWatch(folder)
    expect(await told(() => writeIn(folder, 'two.mp3', 'x'))).toBe(true)
    expect(await told(() => writeIn(folder, 'new/folder/three.mp3', 'x'))).toBe(true)
    expect(await told(() => writeIn(folder, 'a/b/one.mp3', 'more'))).toBe(true)
    expect(await told(() => rename(join(folder, 'a'), join(folder, 'z')))).toBe(true)
    expect(await told(() => rm(join(folder, 'two.mp3')))).toBe(true)
  })

  it('reports when a missing folder appears, disappears and appears again', async () => {
    const parent = await makeFolder()
    const folder = join(parent, 'music')
    const told = await startWatch(folder)
    expect(await told(() => mkdir(folder))).toBe(true)
    expect(await told(() => writeIn(folder, 'one.mp3', 'x'))).toBe(true)
    expect(await told(() => rm(folder, { recursive: true }))).toBe(true)
    expect(await told(() => writeIn(folder, 'one.mp3', 'x'))).toBe(true)
  })

  it('works in a folder whose name starts with a dot', async () => {
    const parent = await makeFolder()
    const folder = join(parent, '.music')
    await mkdir(folder)
    const told = await startWatch(folder)
    expect(await told(() => writeIn(folder, 'one.mp3', 'x'))).toBe(true)
  })
})
