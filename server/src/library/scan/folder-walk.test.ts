import { mkdirSync } from 'node:fs'
import { rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { makeFolder, writeIn } from '../../../test/folders.ts'
import { systemClock } from '../../clock/server-clock.ts'
import { createFolderWalk, type WalkOptions } from './folder-walk.ts'
import { createFolderWatch } from './folder-watch.ts'

const everything: WalkOptions = { mode: 'all', folders: [], expectsFiles: false, isWatching: true }

/** Makes the folders of a path look as if nothing was added or removed for long. */
async function settle(root: string, ...folders: string[]): Promise<void> {
  for (const folder of folders) await utimes(join(root, folder), 1_700_000_000, 1_700_000_000)
}

/** A walk of a folder, and a function that lists the folders that were read and those that were gone. */
function openWalk(musicDir: string, now = () => Date.now()) {
  const watched = new Set<string>()
  const added: string[] = []
  const watch = {
    add: (folder: string) => {
      if (!watched.has(folder)) added.push(folder)
      return watched.add(folder).has(folder)
    },
    remove: (folder: string) => watched.delete(folder),
  }
  const walk = createFolderWalk({ musicDir, now, watch })
  const run = async (options: Partial<WalkOptions> = {}) => {
    walk.start({ ...everything, ...options })
    const read: string[] = []
    const gone: string[] = []
    for (;;) {
      const step = await walk.next()
      if (step.kind === 'unavailable') return { unavailable: step.code }
      for (const { folder, goneFolders } of step.listings) {
        read.push(folder)
        gone.push(...goneFolders)
      }
      if (step.isLast) return { read: read.toSorted(), gone }
    }
  }
  return { run, watched, added }
}

async function makeMusic(): Promise<string> {
  const root = await makeFolder()
  for (const path of ['a/x/1.mp3', 'a/y/2.mp3', 'b/3.mp3']) await writeIn(root, path, 'x')
  await settle(root, 'a/x', 'a/y', 'a', 'b', '')
  return root
}

it('13.19 a walk of changed folders reads those whose entries changed, and those it is told', async () => {
  const root = await makeMusic()
  let nowMs = Date.now()
  const { run } = openWalk(root, () => nowMs)
  expect(await run()).toEqual({ read: ['', 'a', 'a/x', 'a/y', 'b'], gone: [] })
  expect(await run({ mode: 'changed' })).toEqual({ read: [], gone: [] })
  expect(await run({ mode: 'changed', folders: ['b'] })).toEqual({ read: ['b'], gone: [] })
  await writeIn(root, 'a/y/new.mp3', 'x')
  // It changed a moment ago, and may change again within the same time stamp.
  nowMs = (await stat(join(root, 'a/y'))).mtimeMs + 1_000
  expect(await run({ mode: 'changed' })).toEqual({ read: ['a/y'], gone: [] })
  expect(await run({ mode: 'changed' })).toEqual({ read: ['a/y'], gone: [] })
})

it('13.19 a walk of single folders reads new folders below them, and reports those that are gone', async () => {
  const root = await makeMusic()
  const { run, watched } = openWalk(root)
  await run()
  expect([...watched].toSorted()).toEqual(['', 'a', 'a/x', 'a/y', 'b'])
  await rename(join(root, 'a'), join(root, 'c'))
  await writeIn(root, 'b/new/deep/4.mp3', 'x')
  expect(await run({ mode: 'only', folders: [''] })).toEqual({
    read: ['', 'c', 'c/x', 'c/y'],
    gone: ['a'],
  })
  expect(await run({ mode: 'only', folders: ['b'] })).toEqual({
    read: ['b', 'b/new', 'b/new/deep'],
    gone: [],
  })
  expect([...watched].toSorted()).toEqual(['', 'b', 'b/new', 'b/new/deep', 'c', 'c/x', 'c/y'])
})

it('15.124 a folder that takes the place and name of another is listed and watched anew, with all below it', async () => {
  const root = await makeMusic()
  const { run, added } = openWalk(root)
  await run()
  // One that is moved away takes its watch with it.
  await rename(join(root, 'a'), join(root, 'c'))
  await writeIn(root, 'a/x/other.mp3', 'x')
  await settle(root, 'a/x', 'a')
  added.length = 0
  expect(await run({ mode: 'only', folders: [''] })).toEqual({
    read: ['', 'a', 'a/x', 'c', 'c/x', 'c/y'],
    gone: ['a/y'],
  })
  expect(added).toEqual(expect.arrayContaining(['a', 'a/x']))
})

it('15.124 a folder below one that did not change is found by the walk of changed folders', async () => {
  const root = await makeMusic()
  const { run, added } = openWalk(root)
  await run()
  await rename(join(root, 'a/x'), join(await makeFolder(), 'x'))
  await writeIn(root, 'a/x/other.mp3', 'x')
  await settle(root, 'a/x', 'a')
  added.length = 0
  expect(await run({ mode: 'changed' })).toEqual({ read: ['a/x'], gone: [] })
  expect(added).toEqual(['a/x'])
})

it('15.131 the folders of an album’s discs are listed again when that above them changes', async () => {
  const root = await makeFolder()
  for (const path of ['album/CD 1/1.mp3', 'album/Disc2/2.mp3', 'album/live/3.mp3'])
    await writeIn(root, path, 'x')
  await settle(root, 'album/CD 1', 'album/Disc2', 'album/live', 'album', '')
  const { run } = openWalk(root)
  await run()
  const read = ['album', 'album/CD 1', 'album/Disc2']
  expect(await run({ mode: 'only', folders: ['album'] })).toEqual({ read, gone: [] })
  await writeIn(root, 'album/cover.jpg', 'x')
  expect(await run({ mode: 'changed' })).toEqual({ read, gone: [] })
})

it('13.24 an empty folder is unavailable where files are expected, unless it had some before', async () => {
  const root = await makeFolder()
  expect(await openWalk(root).run({ expectsFiles: true })).toEqual({ unavailable: 'EMPTY' })
  expect(await openWalk(root).run()).toEqual({ read: [''], gone: [] })
  await writeIn(root, 'one.mp3', 'x')
  const { run, watched } = openWalk(root)
  await run()
  await rm(join(root, 'one.mp3'))
  expect(await run({ expectsFiles: true })).toEqual({ read: [''], gone: [] })
  await rm(root, { recursive: true })
  expect(await run()).toEqual({ unavailable: 'ENOENT' })
  expect(watched.size).toBe(0)
})

it('17.196 a music folder that appears between the attempt to watch it and its listing is walked again, and watched', async () => {
  const root = join(await makeFolder(), 'music')
  const changed: string[][] = []
  const onChange = (folders: string[]): void => void changed.push(folders)
  const real = createFolderWatch({ root, clock: systemClock, debounceMs: 1, onChange, onError: () => {} })
  const add = (folder: string): boolean => {
    const isThere = real.add(folder)
    mkdirSync(root, { recursive: true })
    return isThere
  }
  const walk = createFolderWalk({ musicDir: root, now: () => Date.now(), watch: { ...real, add } })
  walk.start(everything)
  expect(await walk.next()).toEqual({ kind: 'unavailable', code: 'ENOENT' })
  walk.start(everything)
  expect(await walk.next()).toMatchObject({ kind: 'folders', isLast: true })
  await writeIn(root, 'one.mp3', 'x')
  await vi.waitFor(() => expect(changed).toContainEqual(['']))
  real.close()
})
