import pLimit from 'p-limit'
import type { Clock } from '@earshot/core/clock'
import { type FileContent, readContent } from './file-content.ts'
import { createFolderWalk, type WalkOptions, type WalkStep } from './folder-walk.ts'
import { createFolderWatch } from './folder-watch.ts'
import { type AudioFile, fileErrorCode, isGone } from './music-folder.ts'
import { UnreadableAudioError } from './unreadable-audio.ts'

/** What a scan asks of the file system. The server calls it in a thread of its own. */
export type ScanCalls = ReturnType<typeof createScanCalls>

/** A file that was read, or why it could not be. Both are null for a file that was deleted. */
export interface FileReading {
  content: FileContent | null
  /** For the operator. */
  reason: string | null
  /** Whether the file itself is broken, so that reading it again is of no use. */
  isBroken: boolean
}

export type ScanNotice = { kind: 'changed'; folders: string[] } | { kind: 'watch failed'; error: Error }

export interface ScanCallsOptions {
  musicDir: string
  clock: Clock
  debounceMs: number
  /** Receives changes in the folders that are watched. */
  notify: (notice: ScanNotice) => void
}

/** Each holds a thread of the pool while the disk hangs (`disk-calls.ts`). */
const filesAtOnce = 4

export function createScanCalls({ musicDir, clock, debounceMs, notify }: ScanCallsOptions) {
  const folderWatch = createFolderWatch({
    root: musicDir,
    clock,
    debounceMs,
    onChange: (folders) => notify({ kind: 'changed', folders }),
    onError: (error) => notify({ kind: 'watch failed', error }),
  })
  const walk = createFolderWalk({ musicDir, now: () => clock.now(), watch: folderWatch })

  return {
    async startWalk(options: WalkOptions): Promise<void> {
      walk.start(options)
    },
    async nextFolders(): Promise<WalkStep> {
      return walk.next()
    },
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
