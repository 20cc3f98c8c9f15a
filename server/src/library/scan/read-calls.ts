import pLimit from 'p-limit'
import { type FileContent, readContent } from './file-content.ts'
import { type AudioFile, fileErrorCode, isGone } from './music-folder.ts'
import { UnreadableAudioError } from './unreadable-audio.ts'

/** Reads files in a thread of its own: one that exhausts it, or takes too long, does not end the walk. */
export type ReadCalls = ReturnType<typeof createReadCalls>

/** A file that was read, or why it could not be. Both are null for a file that was deleted. */
export interface FileReading {
  content: FileContent | null
  /** For the operator. */
  reason: string | null
  /** Whether the file itself is broken, so that reading it again is of no use. */
  isBroken: boolean
}

/** Each holds a thread of the pool while the disk hangs (`disk-calls.ts`). */
const filesAtOnce = 4

export function createReadCalls(musicDir: string) {
  return {
    async readFiles(files: AudioFile[]): Promise<FileReading[]> {
      return pLimit(filesAtOnce).map(files, (file) => readFile(musicDir, file))
    },
  }
}

async function readFile(musicDir: string, file: AudioFile): Promise<FileReading> {
  try {
    return { content: await readContent(musicDir, file), reason: null, isBroken: false }
  } catch (error) {
    if (error instanceof UnreadableAudioError) return { content: null, reason: error.message, isBroken: true }
    const code = fileErrorCode(error)
    const reason = isGone(code) ? null : `This file cannot be read (${code})`
    return { content: null, reason, isBroken: false }
  }
}
