import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeFolder } from '../test/folders.ts'
import { loadSecret } from './secret.ts'

describe('the secret', () => {
  it('is the configured one, and then nothing is stored', async () => {
    const folder = await makeFolder()
    expect(await loadSecret('configured', folder)).toBe('configured')
    expect(await readdir(folder)).toEqual([])
  })

  it('is otherwise generated once, and stored readable by the owner only', async () => {
    const dataDir = join(await makeFolder(), 'data')
    const secret = await loadSecret(null, dataDir)
    expect(secret.length).toBeGreaterThanOrEqual(32)
    expect((await stat(join(dataDir, 'secret'))).mode & 0o777).toBe(0o600)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    expect(await loadSecret(null, dataDir)).toBe(secret)
    expect(await loadSecret(null, join(await makeFolder(), 'other'))).not.toBe(secret)
  })

  it('is the same for concurrent loads, and leaves no temporary files', async () => {
    const dataDir = await makeFolder()
    const secrets = await Promise.all(Array.from({ length: 20 }, () => loadSecret(null, dataDir)))
    expect(new Set(secrets).size).toBe(1)
    expect(await readdir(dataDir)).toEqual(['secret'])
    expect((await readFile(join(dataDir, 'secret'), 'utf8')).trim()).toBe(secrets[0])
  })

  it('is not read from a damaged file', async () => {
    const dataDir = await makeFolder()
    await writeFile(join(dataDir, 'secret'), 'short\n')
    await expect(loadSecret(null, dataDir)).rejects.toThrow(/^SECRET: .*damaged/)
  })

  it('names the variable if the folder cannot be used', async () => {
    const file = join(await makeFolder(), 'file')
    await writeFile(file, '')
    await expect(loadSecret(null, file)).rejects.toThrow(/^DATA_DIR: /)
  })
})
