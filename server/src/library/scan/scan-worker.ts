import { workerData } from 'node:worker_threads'
import pLimit from 'p-limit'
import { answerCalls, notify } from '../../async/worker-calls.ts'
import { systemClock } from '../../clock.ts'
import { UnreadableAudioError } from './audio-tags.ts'
import { createFolderWalk, type WalkOptions, type WalkStep } from './folder-walk.ts'
import { createFolderWatch } from './folder-watch.ts'
import { type AudioFile, fileErrorCode, isGone } from './music-folder.ts'
import { type FileContent, readContent } from './track-reader.ts'

/** The thread that walks and watches the music folder and reads its files. */

export interface ScanWorkerData {
  musicDir: string
  debounceMs: number
}

/** A file that was read, or why it could not be. Both are null for a file that was deleted. */
export interface FileReading {
  content: FileContent | null
  /** For the operator. */
  reason: string | null
  /** Whether the file itself is broken, so that reading it again is of no use. */
  isBroken: boolean
}

export type ScanNotice = { kind: 'changed'; folders: string[] } | { kind: 'watch failed'; error: Error }

export type ScanCalls = typeof calls

const filesAtOnce = 8
const { musicDir, debounceMs } = workerData as ScanWorkerData

const folderWatch = createFolderWatch({
  root: musicDir,
  clock: systemClock,
  debounceMs,
  onChange: (folders) => notify({ kind: 'changed', folders } satisfies ScanNotice),
  onError: (error) => notify({ kind: 'watch failed', error } satisfies ScanNotice),
})
const walk = createFolderWalk({
  musicDir,
  now: () => Date.now(),
  watch: folderWatch,
})

const calls = {
  async startWalk(options: WalkOptions): Promise<void> {
    walk.start(options)
  },
  async nextFolders(): Promise<WalkStep> {
    return walk.next()
  },
  async readFiles(files: AudioFile[]): Promise<FileReading[]> {
    return pLimit(filesAtOnce).map(files, readFile)
  },
}

async function readFile(file: AudioFile): Promise<FileReading> {
  try {
    return { content: await readContent(musicDir, file), reason: null, isBroken: false }
  } catch (error) {
    if (error instanceof UnreadableAudioError) return { content: null, reason: error.message, isBroken: true }
    const code = fileErrorCode(error)
    const reason = isGone(code) ? null : `This file cannot be read (${code})`
    return { content: null, reason, isBroken: false }
  }
}

answerCalls(calls)
