import { mkdirSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { makeFolder, writeIn } from '../../../test/folders.ts'
import { systemClock } from '../../clock/server-clock.ts'
import { createFolderWatch, type FolderWatch } from './folder-watch.ts'

/** A folder in which something is made to learn that all earlier changes were reported. */
const marker = 'marker'

/** Watches folders. Returns the watch, and a function that acts and returns the folders reported for it. */
function startWatch(root: string, folders: string[]) {
  const changed = new Set<string>()
  let markers = 0
  mkdirSync(join(root, marker))
  const errors: Error[] = []
  const folderWatch: FolderWatch = createFolderWatch({
    root,
    clock: systemClock,
    debounceMs: 10,
    onChange: (reported) => reported.forEach((folder) => changed.add(folder)),
    onError: (error) => errors.push(error),
  })
  for (const folder of [...folders, marker]) folderWatch.add(folder)
  onTestFinished(() => {
    folderWatch.close()
    expect(errors).toEqual([])
  })
  const reportOf = async (act: () => Promise<unknown>): Promise<string[]> => {
    await act()
    mkdirSync(join(root, marker, String(++markers)))
    await vi.waitFor(() => expect([...changed]).toContain(marker))
    const reported = [...changed].filter((folder) => folder !== marker)
    changed.clear()
    return reported.toSorted()
  }
  return { folderWatch, reportOf }
}

it('reports the folders in which files are added, changed, renamed and removed', async () => {
  const root = await makeFolder()
  await writeIn(root, 'a/b/one.mp3', 'x')
  const { reportOf } = startWatch(root, ['', 'a', 'a/b'])
  expect(await reportOf(() => writeIn(root, 'two.mp3', 'x'))).toEqual([''])
  expect(await reportOf(() => mkdir(join(root, 'new')))).toEqual([''])
  expect(await reportOf(() => writeIn(root, 'a/b/one.mp3', 'more'))).toEqual(['a/b'])
  expect(await reportOf(() => rename(join(root, 'a/b/one.mp3'), join(root, 'a/one.mp3')))).toEqual([
    'a',
    'a/b',
  ])
  expect(await reportOf(() => rm(join(root, 'two.mp3')))).toEqual([''])
})

it('does not report hidden names, and nothing of a folder that is no longer watched', async () => {
  const root = await makeFolder()
  await mkdir(join(root, 'a'))
  const { folderWatch, reportOf } = startWatch(root, ['', 'a', 'missing'])
  folderWatch.remove('a')
  const act = async (): Promise<void> => {
    await writeIn(root, '.hidden.mp3', 'x')
    await writeIn(root, 'a/one.mp3', 'x')
    await writeIn(root, 'last.mp3', 'x')
  }
  expect(await reportOf(act)).toEqual([''])
})

it('works in a folder whose name starts with a dot', async () => {
  const root = join(await makeFolder(), '.music')
  await mkdir(root)
  const { reportOf } = startWatch(root, [''])
  expect(await reportOf(() => writeIn(root, 'one.mp3', 'x'))).toEqual([''])
})
