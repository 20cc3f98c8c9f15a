import { readdirSync, readlinkSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeFolder } from '../../../test/folders.ts'
import { createOpenFiles, FileChangedError, findFile, type FoundFile, type OpenFiles } from './open-files.ts'

function open(maxOpen: number): OpenFiles {
  const files = createOpenFiles({ maxOpen })
  onTestFinished(() => files.close())
  return files
}

async function write(folder: string, name: string, content: string): Promise<FoundFile> {
  await writeFile(join(folder, name), content)
  const found = await findFile(join(folder, name))
  if (!found) throw new Error('The file is not there')
  return found
}

/** Whether this process has a file of a folder open. */
function isOpen(folder: string): boolean {
  return readdirSync('/proc/self/fd').some((descriptor) => {
    try {
      return readlinkSync(join('/proc/self/fd', descriptor)).startsWith(folder)
    } catch {
      // Closed meanwhile by another part.
      return false
    }
  })
}

it('16.85 keeps a bounded number of files open, and reads all of them', async () => {
  const [files, folder] = [open(3), await makeFolder()]
  const names = Array.from({ length: 20 }, (_, index) => `file ${index}`)
  const found = await Promise.all(names.map((name) => write(folder, name, name)))
  const readAll = () => Promise.all(found.map((file) => files.read(file, 0, file.size)))
  for (let round = 0; round < 3; round += 1) {
    expect((await readAll()).map(String)).toEqual(names)
    expect(files.count()).toBe(3)
  }
})

it('16.85 does not read a file that replaced another one, even under its name', async () => {
  const [files, folder] = [open(3), await makeFolder()]
  const before = await write(folder, 'a', 'before')
  const after = await write(folder, 'b', 'behind')
  await rename(after.path, before.path)
  await expect(files.read(before, 0, 6)).rejects.toThrow('replaced')
  const found = await findFile(before.path)
  expect(found && String(await files.read(found, 0, 6))).toBe('behind')
})

it('16.85 goes on reading the file that it has open, and closes all at the end', async () => {
  const [files, folder] = [open(3), await makeFolder()]
  const file = await write(folder, 'a', 'a song')
  expect(String(await files.read(file, 0, 1))).toBe('a')
  await rm(file.path)
  expect(String(await files.read(file, 2, 6))).toBe('song')
  expect(isOpen(folder)).toBe(true)
  await expect(files.read(file, 2, 7)).rejects.toThrow('ends earlier')
  await files.close()
  expect(isOpen(folder)).toBe(false)
})

it('17.175 does not read a file that was written to while it is open', async () => {
  const [files, folder] = [open(3), await makeFolder()]
  const before = await write(folder, 'a', 'a song')
  expect(String(await files.read(before, 0, 6))).toBe('a song')
  const after = await write(folder, 'a', 'a cover and a song')
  expect(after.inode).toBe(before.inode)
  await expect(files.read(before, 0, 6)).rejects.toThrow(FileChangedError)
  expect(String(await files.read(after, 12, 18))).toBe('a song')
  await rm(after.path)
  await files.close()
  await expect(open(3).read(after, 0, 6)).rejects.toThrow(FileChangedError)
})

it('17.175 does not take what the disk cannot read for a change', async () => {
  // The first page of a process's memory is never there: EIO.
  const file = await findFile('/proc/self/mem')
  if (!file) throw new Error('There is no such file')
  const reading = open(3).read(file, 0, 6)
  await expect(reading).rejects.toMatchObject({ code: 'EIO' })
  await expect(reading).rejects.not.toThrow(FileChangedError)
})
