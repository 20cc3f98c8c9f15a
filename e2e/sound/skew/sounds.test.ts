import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openRecording, toSounds } from './sounds.ts'

const folder = mkdtempSync(join(tmpdir(), 'earshot-sounds-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('sounds', () => {
  it('are read from a file of two channels per person, of which the left one counts', () => {
    const path = join(folder, 'recording')
    const frames = [
      [1, -1, 100, -1],
      [2, -1, 200, -1],
      [3, -1, 300, -1],
    ]
    writeFileSync(path, new Int16Array(frames.flat()))
    const sounds = openRecording(path, 2)
    expect(sounds).toMatchObject({ people: 2, frames: 3 })
    expect([...sounds.read(1, 1, 2)].map((sample) => sample * 32_768)).toEqual([200, 300])
    expect([...sounds.read(0, -2, 4)].map((sample) => sample * 32_768)).toEqual([0, 0, 1, 2])
    expect([...sounds.read(0, 2, 3)].map((sample) => sample * 32_768)).toEqual([3, 0, 0])
    expect([...sounds.read(0, -5, 2)]).toEqual([0, 0])
    sounds.close()
  })

  it('are silent outside a recording in memory, and as long as the shortest', () => {
    const sounds = toSounds([Float32Array.of(1, 2, 3), Float32Array.of(4, 5)])
    expect(sounds.frames).toBe(2)
    expect([...sounds.read(0, -1, 3)]).toEqual([0, 1, 2])
    expect([...sounds.read(1, 1, 3)]).toEqual([5, 0, 0])
  })
})
