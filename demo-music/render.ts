/** `npm run demo-music [-- part of a title]`: renders the demo tracks, or one of them, into music/. */
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { album, nameFile, tracks } from './album.ts'
import { rasteriseCovers } from './cover/rasterise.ts'
import { encodeOpus, findEncoderProblem } from './opus-encoder.ts'
import type { AlbumTrack } from './album.ts'
import type { RenderedTrack } from './track-worker.ts'

const musicFolder = join(import.meta.dirname, '..', 'music')

interface Job {
  track: AlbumTrack
  index: number
  coverPath: string
}

function renderInThread(index: number): Promise<RenderedTrack> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('track-worker.ts', import.meta.url), { workerData: index })
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The thread of track ${index + 1} ended with ${code}`)))
  })
}

function listTags({ score }: AlbumTrack, number: number): Record<string, string> {
  return {
    TITLE: score.title,
    ARTIST: album.artist,
    ALBUM: album.title,
    ALBUMARTIST: album.artist,
    DATE: album.date,
    GENRE: score.genre,
    TRACKNUMBER: String(number),
    TRACKTOTAL: String(tracks.length),
    LICENSE: album.license,
    COPYRIGHT: album.copyright,
  }
}

async function produce({ track, index, coverPath }: Job): Promise<void> {
  const { pcm, loudness, peakDecibels } = await renderInThread(index)
  const number = index + 1
  const name = nameFile(track.score.title, number)
  const path = join(musicFolder, name)
  await encodeOpus(pcm, {
    path,
    coverPath,
    kilobitsPerSecond: track.kilobitsPerSecond,
    serial: number,
    tags: listTags(track, number),
  })
  const { size } = await stat(path)
  console.log(
    `${name.padEnd(28)} ${track.score.seconds.toFixed(1)} s  ${loudness.toFixed(1)} LUFS  ` +
      `peak ${peakDecibels.toFixed(1)} dBFS  ${Math.round(size / 1000)} kB`,
  )
}

/** As many workers as there are processors take jobs until none is left. */
async function produceAll(jobs: Job[]): Promise<void> {
  const waiting = [...jobs]
  const work = async () => {
    for (let job = waiting.shift(); job; job = waiting.shift()) await produce(job)
  }
  await Promise.all(Array.from({ length: Math.min(jobs.length, availableParallelism()) }, work))
}

async function drawCovers(chosen: readonly AlbumTrack[], folder: string): Promise<string[]> {
  const pictures = await rasteriseCovers(chosen.map((track) => track.drawCover()))
  return Promise.all(
    pictures.map(async (picture, index) => {
      const path = join(folder, `${index}.jpg`)
      await writeFile(path, picture)
      return path
    }),
  )
}

async function renderAlbum(wanted: string): Promise<void> {
  const chosen = tracks.filter((track) => track.score.title.toLowerCase().includes(wanted.toLowerCase()))
  if (chosen.length === 0) throw new Error(`No track has "${wanted}" in its title`)
  const folder = await mkdtemp(join(tmpdir(), 'demo-music-'))
  try {
    await mkdir(musicFolder, { recursive: true })
    const covers = await drawCovers(chosen, folder)
    await produceAll(
      chosen.map((track, index) => ({ track, index: tracks.indexOf(track), coverPath: covers[index] ?? '' })),
    )
  } finally {
    await rm(folder, { recursive: true })
  }
}

const problem = findEncoderProblem()
if (problem) {
  console.error(problem)
  process.exitCode = 1
} else {
  await renderAlbum(process.argv[2] ?? '')
}
