import { readFileSync } from 'node:fs'
import { copyFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { makeFolder, shareFolder } from '../../../test/folders.ts'
import { longTracks } from '../../../test/long-tracks.ts'
import type { ByteSource } from '../serving/byte-source.ts'
import { createOpenFiles } from '../serving/open-files.ts'
import { createOriginalAudio, type OriginalAudio } from '../serving/original-audio.ts'
import { createSeekableAudio, type SeekableAudio } from './seekable-audio.ts'

const seconds = 25
const indexed = longTracks.filter(({ name }) => !name.endsWith('.wav'))

interface Opened {
  seekable: SeekableAudio
  originals: OriginalAudio
  musicDir: string
  indexDir: string
}

async function open(folders: Partial<Opened> = {}): Promise<Opened> {
  const { musicDir = await makeFolder(), indexDir = await makeFolder() } = folders
  const openFiles = createOpenFiles()
  onTestFinished(() => openFiles.close())
  const seekable = createSeekableAudio({ indexDir, openFiles, logger: pino({ level: 'silent' }) })
  onTestFinished(() => seekable.close())
  return { seekable, originals: createOriginalAudio(musicDir, openFiles), musicDir, indexDir }
}

/** Writes a long track, if it is not there, and finds its MP4 file. */
async function find({ seekable, originals, musicDir }: Opened, name: string): Promise<ByteSource | null> {
  await makeFile(musicDir, name)
  const original = await originals.find(name)
  return original && seekable.find(name, original)
}

async function makeFile(musicDir: string, name: string): Promise<void> {
  const path = join(musicDir, name)
  const known = await stat(path).catch(() => null)
  if (!known) longTracks.find((track) => track.name === name)?.write(path, seconds)
}

async function read(file: ByteSource, start = 0, end = file.size): Promise<Buffer> {
  const chunks: Buffer[] = []
  for (let at = start; at < end; at += chunks.at(-1)?.length ?? end) {
    chunks.push(Buffer.from(await file.read(at, end)))
  }
  return Buffer.concat(chunks)
}

interface FoundBox {
  type: string
  offset: number
  content: Buffer
}

function listBoxes(bytes: Buffer): FoundBox[] {
  const boxes: FoundBox[] = []
  for (let offset = 0; offset < bytes.length;) {
    const length = bytes.readUInt32BE(offset)
    const content = bytes.subarray(offset + 8, offset + length)
    boxes.push({ type: bytes.toString('latin1', offset + 4, offset + 8), offset, content })
    offset += length
  }
  return boxes
}

/** The samples of a fragment, from its track run. */
function listSamples(moof: Buffer): { duration: number; size: number }[] {
  const traf = listBoxes(moof).find(({ type }) => type === 'traf')
  const trun = listBoxes(traf?.content ?? Buffer.alloc(0)).find(({ type }) => type === 'trun')?.content
  if (!trun) return []
  return Array.from({ length: trun.readUInt32BE(4) }, (_, index) => ({
    duration: trun.readUInt32BE(12 + 8 * index),
    size: trun.readUInt32BE(16 + 8 * index),
  }))
}

/** Counts, while a test runs, the tasks that worker threads have done, and the most threads at once. */
function countWork(): { tasks: number; threads: number } {
  const count = { tasks: 0, threads: 0 }
  let running = 0
  const onWorker = (worker: Worker) => {
    running += 1
    count.threads = Math.max(count.threads, running)
    worker.on('message', () => (count.tasks += 1))
    worker.once('exit', () => (running -= 1))
  }
  process.on('worker', onWorker)
  onTestFinished(() => void process.off('worker', onWorker))
  return count
}

describe.each(indexed)('the MP4 file of $name', ({ name }) => {
  const [music, indexes] = [shareFolder(), shareFolder()]
  const openShared = () => open({ musicDir: music.path, indexDir: indexes.path })

  it('10.1a has all audio of the file, unchanged and in order', async () => {
    const opened = await openShared()
    const file = await find(opened, name)
    const bytes = await read(file!)
    const original = readFileSync(join(opened.musicDir, name))
    const boxes = listBoxes(bytes)
    const [fragments, payloads] = ['moof', 'mdat'].map((type) => boxes.filter((found) => found.type === type))
    expect(payloads!.length).toBe(fragments!.length)

    let from = 0
    for (const [index, { content }] of payloads!.entries()) {
      let at = 0
      for (const { size } of listSamples(fragments![index]!.content)) {
        // The first 64 bytes of a packet are in one piece also where it crosses a page.
        const packet = content.subarray(at, at + Math.min(size, 64))
        const place = original.indexOf(packet, from)
        expect(place - from).toBeLessThan(20_000)
        expect(place).toBeGreaterThanOrEqual(from)
        from = place + packet.length
        at += size
      }
      expect(at).toBe(content.length)
    }
    expect(original.length - from).toBeLessThan(20_000)
  })

  it('10.1b lists every ten seconds in both tables', async () => {
    const bytes = await read((await find(await openShared(), name))!)
    const boxes = listBoxes(bytes)
    const moofs = boxes.filter(({ type }) => type === 'moof')
    expect(moofs.length).toBe(Math.ceil(seconds / 10))
    expect(boxes.map(({ type }) => type)).toEqual([
      'ftyp',
      'moov',
      'sidx',
      ...moofs.flatMap(() => ['moof', 'mdat']),
      'mfra',
    ])
    const table = listBoxes(boxes.at(-1)!.content)[0]!.content
    const offsets = moofs.map((_, index) => table.readUInt32BE(16 + 11 * index + 4))
    expect(offsets).toEqual(moofs.map(({ offset }) => offset))
    expect(bytes.readUInt32BE(bytes.length - 4)).toBe(bytes.length - boxes.at(-1)!.offset)

    const sidx = boxes[2]!.content
    const lengths = moofs.map((_, index) => sidx.readUInt32BE(32 + 12 * index))
    const ends = moofs.map(({ offset }, index) => offset + lengths[index]!)
    expect(ends).toEqual([...moofs.slice(1).map(({ offset }) => offset), boxes.at(-1)!.offset])

    const timescale = sidx.readUInt32BE(8)
    const time = moofs
      .flatMap(({ content }) => listSamples(content))
      .reduce((sum, { duration }) => sum + duration, 0)
    expect(Math.abs(time / timescale - seconds)).toBeLessThan(0.1)
  })

  it('10.1c reads any part as of the whole', async () => {
    const file = await find(await openShared(), name)
    const bytes = await read(file!)
    expect(bytes.length).toBe(file!.size)
    const { size } = file!
    const edges = listBoxes(bytes).flatMap(({ offset }) => [offset - 1, offset, offset + 9])
    for (const start of [0, 1, 777, ...edges, size - 1].filter((at) => at >= 0)) {
      for (const length of [1, 100, 300_000]) {
        const end = Math.min(size, start + length)
        expect((await read(file!, start, end)).equals(bytes.subarray(start, end))).toBe(true)
      }
    }
  })
})

it('10.1d skips the delay that the encoder states, and the decoder adds to it', async () => {
  const opened = await open()
  const editStart = async (name: string): Promise<number | null> => {
    const bytes = await read((await find(opened, name))!)
    const at = bytes.indexOf('elst')
    return at < 0 ? null : bytes.readUInt32BE(at + 16)
  }
  expect(await editStart('mp3-vbr-table.mp3')).toBe(576 + 529)
  expect(await editStart('mp3-vbr-no-table.mp3')).toBe(null)
  expect(await editStart('opus.opus')).toBe(312)
  expect(await editStart('aac-m4a.m4a')).toBe(1_024)
})

describe('a file without an index', () => {
  it.each([
    ['text.mp3', 'no sound at all\n'.repeat(1_000)],
    ['empty.flac', ''],
    ['short.ogg', 'OggS'],
    ['text.m4a', 'no sound at all\n'.repeat(1_000)],
    ['sync.aac', '\xff'.repeat(10_000)],
  ])('10.2 %s is left as it is', async (name, content) => {
    const opened = await open()
    await writeFile(join(opened.musicDir, name), content, 'latin1')
    expect(await find(opened, name)).toBe(null)
  })

  it('10.2 is one of a format in which players find positions themselves', async () => {
    expect(await find(await open(), 'wav-44.wav')).toBe(null)
  })

  it('10.2 is one that has lost its end, only where that is needed', async () => {
    const opened = await open()
    const unindexed: string[] = []
    for (const { name } of indexed) {
      await makeFile(opened.musicDir, name)
      const path = join(opened.musicDir, name)
      await truncate(path, Math.floor((await stat(path)).size * 0.7))
      const file = await find(opened, name)
      const bytes = file && (await read(file))
      if (!bytes || bytes.length !== file.size) unindexed.push(name)
    }
    // The tables of an M4A file are at its end.
    expect(unindexed).toEqual(['aac-m4a.m4a'])
  })
})

describe('indexing', () => {
  it('10.3a runs once for a file, however many ask, and one file at a time', async () => {
    const work = countWork()
    const opened = await open()
    const names = ['mp3-cbr.mp3', 'opus.opus', 'flac-44.flac']
    for (const name of names) await makeFile(opened.musicDir, name)
    const found = await Promise.all(
      [...names, ...names, ...names, ...names].map((name) => find(opened, name)),
    )
    expect(found.every((file) => file !== null)).toBe(true)
    expect(work).toEqual({ tasks: names.length, threads: 1 })
  })

  it('10.3b is done once also across restarts, and again for a changed file', async () => {
    const opened = await open()
    const first = await find(opened, 'mp3-cbr.mp3')
    const work = countWork()
    const again = await open({ musicDir: opened.musicDir, indexDir: opened.indexDir })
    expect((await find(again, 'mp3-cbr.mp3'))?.tag).toBe(first!.tag)
    expect(work.tasks).toBe(0)
    await utimes(join(opened.musicDir, 'mp3-cbr.mp3'), 1_000, 1_000)
    expect((await find(again, 'mp3-cbr.mp3'))?.tag).not.toBe(first!.tag)
    expect(work.tasks).toBe(1)
  })

  it('10.3b is repeated where a stored index is damaged', async () => {
    const opened = await open()
    const first = await find(opened, 'mp3-cbr.mp3')
    await truncate(join(opened.indexDir, first!.tag), 100)
    const file = await find(
      await open({ musicDir: opened.musicDir, indexDir: opened.indexDir }),
      'mp3-cbr.mp3',
    )
    expect((await read(file!)).length).toBe(first!.size)
  })

  it('10.3b is repeated where the folder was emptied', async () => {
    const opened = await open()
    const first = await find(opened, 'mp3-cbr.mp3')
    await rm(join(opened.indexDir, first!.tag))
    await expect(read(first!)).rejects.toThrow('The file is gone')
    expect((await read((await find(opened, 'mp3-cbr.mp3'))!)).length).toBe(first!.size)
  })

  it('10.3b is not tried again for a file that cannot have one', async () => {
    const opened = await open()
    await writeFile(join(opened.musicDir, 'text.mp3'), 'no sound at all')
    expect(await find(opened, 'text.mp3')).toBe(null)
    const work = countWork()
    const again = await open({ musicDir: opened.musicDir, indexDir: opened.indexDir })
    expect(await find(again, 'text.mp3')).toBe(null)
    expect(work.tasks).toBe(0)
  })

  it('10.3b is tried again a minute after it failed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const opened = await open()
    await rm(opened.indexDir, { recursive: true })
    // A file is in the place of the folder: nothing can be written.
    await writeFile(opened.indexDir, '')
    expect(await find(opened, 'mp3-cbr.mp3')).toBe(null)
    await rm(opened.indexDir)
    expect(await find(opened, 'mp3-cbr.mp3')).toBe(null)
    vi.advanceTimersByTime(60_000)
    expect(await find(opened, 'mp3-cbr.mp3')).not.toBe(null)
  })

  it('10.3a ends with the server', async () => {
    const opened = await open()
    const asked = find(opened, 'flac-24-96.flac')
    await opened.seekable.close()
    await asked
    expect(await find(opened, 'mp3-cbr.mp3')).toBe(null)
  })

  it('10.2 finds nothing for a file that is gone, and reads nothing out of the folder', async () => {
    const opened = await open()
    await makeFile(opened.musicDir, 'mp3-cbr.mp3')
    await copyFile(join(opened.musicDir, 'mp3-cbr.mp3'), join(opened.indexDir, 'outside.mp3'))
    expect(await opened.originals.find('gone.mp3')).toBe(null)
    expect(await opened.originals.find(`../${basename(opened.indexDir)}/outside.mp3`)).toBe(null)
  })
})
