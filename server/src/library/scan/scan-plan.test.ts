import { describe, expect, it } from 'vitest'
import type { LibraryFile } from '../../db/library-files.ts'
import type { AudioFile, FolderListing } from './music-folder.ts'
import { planScan } from './scan-plan.ts'

const timing = { nowMs: 100_000, settleMs: 2_000 }

function listed(path: string, changes: Partial<AudioFile> = {}): AudioFile {
  return { path, size: 1_000, modifiedAt: 50_000, coverPath: null, coverVersion: null, ...changes }
}

function stored(path: string, changes: Partial<LibraryFile> = {}): LibraryFile {
  const file = { track_id: `id of ${path}`, path, size: 1_000, modified_at: 50_000, mime_type: 'audio/mpeg' }
  const texts = { search_text: '', sort_text: '', folder: '', fingerprint: 'content' }
  const rest = { has_art: 0, cover_path: null, cover_version: null, missing_since: null }
  return { ...file, ...texts, ...rest, ...changes }
}

function listing(files: AudioFile[], unreadable: string[] = []): FolderListing {
  return { files, problems: [], unreadable }
}

describe('the plan of a scan', () => {
  it('skips a file with the same size and modification time', () => {
    const row = stored('a.mp3')
    const plan = planScan(listing([listed('a.mp3')]), [row], timing)
    expect(plan).toEqual({ kept: [row], newlyCovered: [], fresh: [], unsettled: [] })
  })

  it('reads files that are new, moved, or changed in size or time', () => {
    const files = [
      listed('new.mp3'),
      listed('size.mp3', { size: 999 }),
      listed('time.mp3', { modifiedAt: 50_001 }),
    ]
    const plan = planScan(
      listing(files),
      [stored('size.mp3'), stored('time.mp3'), stored('gone.mp3')],
      timing,
    )
    expect(plan).toEqual({ kept: [], newlyCovered: [], fresh: files, unsettled: [] })
  })

  it('postpones a file that is being written, and keeps its stored track until then', () => {
    const row = stored('a.mp3')
    const growing = [listed('a.mp3', { modifiedAt: 99_000 }), listed('b.mp3', { modifiedAt: 98_001 })]
    const plan = planScan(listing(growing), [row], timing)
    expect(plan).toEqual({ kept: [row], newlyCovered: [], fresh: [], unsettled: growing })
  })

  it('does not postpone a complete file, or one with a time in the future', () => {
    const files = [listed('a.mp3', { modifiedAt: 98_000 }), listed('b.mp3', { modifiedAt: 100_001 })]
    expect(planScan(listing(files), [], timing).fresh).toEqual(files)
  })

  it('updates the cover image that was added, renamed, replaced or removed', () => {
    const files = [
      listed('came.mp3', { coverPath: 'cover.jpg', coverVersion: '1' }),
      listed('renamed.mp3', { coverPath: 'cover.jpg', coverVersion: '1' }),
      listed('replaced.mp3', { coverPath: 'cover.jpg', coverVersion: '2' }),
      listed('went.mp3'),
      listed('own.mp3', { coverPath: 'cover.jpg', coverVersion: '1' }),
    ]
    const rows = [
      stored('came.mp3'),
      stored('renamed.mp3', { has_art: 1, cover_path: 'folder.jpg', cover_version: '1' }),
      stored('replaced.mp3', { has_art: 1, cover_path: 'cover.jpg', cover_version: '1' }),
      stored('went.mp3', { has_art: 1, cover_path: 'cover.jpg', cover_version: '1' }),
      stored('own.mp3', { has_art: 1, cover_version: 'content' }),
    ]
    const plan = planScan(listing(files), rows, timing)
    expect(plan.newlyCovered).toEqual([
      { ...rows[0], has_art: 1, cover_path: 'cover.jpg', cover_version: '1' },
      { ...rows[1], cover_path: 'cover.jpg' },
      { ...rows[2], cover_version: '2' },
      { ...rows[3], has_art: 0, cover_path: null, cover_version: null },
    ])
    expect(plan.kept).toEqual([rows[4]])
  })

  it('keeps the tracks of a folder that cannot be read', () => {
    const rows = [stored('locked/a.mp3'), stored('locked-up/b.mp3')]
    expect(planScan(listing([], ['locked']), rows, timing).kept).toEqual([rows[0]])
  })
})
