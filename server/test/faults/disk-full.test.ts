import { spawnSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import { ask } from '../ask.ts'
import { runServer } from '../children/run-server.ts'
import { makeFolder } from '../folders.ts'
import { gatherCrowd, secret } from './crowd.ts'

const patience = { timeout: 20_000, interval: 200 }

/** Mounts a disk of a few megabytes, which needs root. Unmounted when the test finishes. */
async function mountSmallDisk(): Promise<string> {
  const folder = await makeFolder()
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', folder], { encoding: 'utf8' })
  if (mounted.status !== 0) throw new Error(`A small disk can be mounted by root only: ${mounted.stderr}`)
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]))
  return folder
}

function fill(path: string): void {
  const file = openSync(path, 'w')
  try {
    for (let size = 1024 * 1024; size >= 512; size /= 2) writeUntilFull(file, size)
  } finally {
    closeSync(file)
  }
}

function writeUntilFull(file: number, size: number): void {
  const chunk = Buffer.alloc(size)
  try {
    while (writeSync(file, chunk) === size);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}

it('16.43, 16.44 a server survives a full disk: it answers unavailable, is not ready, and recovers', async () => {
  const dataDir = await mountSmallDisk()
  const server = await runServer({ DATA_DIR: dataDir, SECRET: secret, DISK_RESERVE_MB: '1' })
  const crowd = await gatherCrowd(server, { databaseUrl: null, dataDir }, 20)
  const readiness = async () => (await ask(`${server.address}/readyz`)).json
  expect(await readiness()).toMatchObject({ status: 'ok' })

  fill(join(dataDir, 'filler'))
  // The log of SQLite may still have room for some.
  const { acknowledgedIds, failures } = await crowd.burst(4)
  await delay(3_000)
  const full = await crowd.burst(4)
  expect(full.failures.length).toBeGreaterThan(0)
  expect([...new Set([...failures, ...full.failures])]).toEqual(['unavailable'])
  await vi.waitFor(async () => expect(await readiness()).toMatchObject({ checks: { disk: false } }), patience)
  expect(await ask(`${server.address}/livez`)).toMatchObject({ status: 200 })

  await rm(join(dataDir, 'filler'))
  await vi.waitFor(async () => expect(await readiness()).toMatchObject({ status: 'ok' }), patience)
  const after = await crowd.burst(4)
  expect(after.failures).toEqual([])
  const acknowledged = [...acknowledgedIds, ...full.acknowledgedIds, ...after.acknowledgedIds]
  expect(await crowd.findMissing(acknowledged)).toEqual([])
})
