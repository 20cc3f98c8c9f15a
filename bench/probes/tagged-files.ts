import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const tracksPerAlbum = 10
const albumsPerArtist = 10
const tone = join(import.meta.dirname, '..', '..', 'server', 'test', 'audio', 'tone.mp3')

/** Writes `count` short MP3 files, ten to an album and ten albums to an artist, each in a folder of its own. */
export function writeTaggedFiles(folder: string, count: number): void {
  const sound = withoutTag(readFileSync(tone))
  for (let number = 0; number < count; number++) {
    const album = Math.floor(number / tracksPerAlbum)
    const artist = Math.floor(album / albumsPerArtist)
    const albumFolder = join(folder, `Artist ${artist}`, `Album ${album}`)
    if (number % tracksPerAlbum === 0) mkdirSync(albumFolder, { recursive: true })
    const tag = makeTag({ TIT2: `Title ${number}`, TPE1: `Artist ${artist}`, TALB: `Album ${album}` })
    writeFileSync(join(albumFolder, `${number}.mp3`), Buffer.concat([tag, sound]))
  }
}

const headerBytes = 10

function withoutTag(file: Buffer): Buffer {
  if (file.toString('latin1', 0, 3) !== 'ID3') return file
  const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + (file[at] ?? 0), 0)
  return file.subarray(headerBytes + size)
}

/** Makes a tag by ID3v2.3.0 (https://id3.org/id3v2.3.0), with the frames by their ids. */
function makeTag(frames: Record<string, string>): Buffer {
  const body = Buffer.concat(
    Object.entries(frames).map(([id, text]) => {
      const frame = Buffer.alloc(headerBytes + 1 + text.length)
      frame.write(id, 'latin1')
      frame.writeUInt32BE(1 + text.length, 4)
      frame.write(text, headerBytes + 1, 'latin1')
      return frame
    }),
  )
  const header = Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, body.length >> 7, body.length & 0x7f])
  return Buffer.concat([header, body])
}
