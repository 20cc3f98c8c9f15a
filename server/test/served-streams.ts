import { basename, dirname, join } from 'node:path'
import { pino } from 'pino'
import { createSeekableAudio } from '../src/library/seekable/seekable-audio.ts'
import { createOpenFiles } from '../src/library/serving/open-files.ts'
import { createOriginalAudio } from '../src/library/serving/original-audio.ts'
import { makeLastingFolder, removeFolder } from './folders.ts'

/** Returns the stream that the server puts together of the file that `write` writes under a name, whole. */
export async function makeServedStream(name: string, write: (path: string) => void): Promise<Uint8Array> {
  const folder = await makeLastingFolder()
  const openFiles = createOpenFiles()
  const logger = pino({ level: 'silent' })
  const seekable = createSeekableAudio({ indexDir: join(folder, 'indexes'), openFiles, logger })
  const path = join(folder, name)
  try {
    write(path)
    const original = await createOriginalAudio(dirname(path), openFiles).find(basename(path))
    const stream = original && (await seekable.find(name, original))
    if (!stream) throw new Error(`${name} has no index`)
    const bytes = new Uint8Array(stream.size)
    for (let at = 0; at < stream.size;) {
      const part = await stream.read(at, stream.size)
      bytes.set(part, at)
      at += part.length
    }
    return bytes
  } finally {
    await seekable.close()
    await openFiles.close()
    await removeFolder(folder)
  }
}
