import { describe, expect, it } from 'vitest'
import type { LibraryFile } from '../../db/catalogue/library-files.ts'
import type { AudioFile } from './music-folder.ts'
import { planScan } from './scan-plan.ts'
import { tagsVersion } from './track-rows.ts'

const timing = { nowMs: 100_000, settleMs: 2_000, leftOut: new Map(), rereadAt: new Map() }

function listed(path: string, changes: Partial<AudioFile> = {}): AudioFile {
  return {
    path,
    size: 1_000,
    modifiedAt: 50_000,
    changedAt: 50_000,
    coverPath: null,
    coverVersion: null,
    ...changes,
  }
}

function stored(path: string, changes: Partial<LibraryFile> = {}): LibraryFile {
  const times = { modified_at: 50_000, changed_at: 50_000, tags_version: tagsVersion }
  const file = { track_id: `id of ${path}`, path, size: 1_000, ...times, mime_type: 'audio/mpeg' }
  const texts = { search_text: '', sort_text: '', folder: '', fingerprint: 'content' }
  const rest = { has_art: 0, cover_path: null, cover_version: null, missing_since: null }
  const place = { album_id: null, artist_id: null, disc_number: 0, track_number: 0 }
  return { ...file, ...texts, ...rest, ...place, ...changes }
}

const empty = { kept: [], updated: [], fresh: [], unsettled: [], leftOut: [], missing: [] }

describe('the plan of a scan', () => {
  it('skips a file with the same size and modification time', () => {
    const row = stored('a.mp3')
    const plan = planScan([listed('a.mp3')], [row], timing)
    expect(plan).toEqual({ ...empty, kept: [row] })
  })

  it('reads files that are new, moved, or changed in size or time', () => {
    const files = [
      listed('new.mp3'),
      listed('size.mp3', { size: 999 }),
      listed('time.mp3', { modifiedAt: 50_001 }),
    ]
    const rows = [stored('size.mp3'), stored('time.mp3'), stored('gone.mp3')]
    expect(planScan(files, rows, timing)).toEqual({ ...empty, fresh: files, missing: rows })
  })

  it('15.122 reads a file again that changed with its size and modification time kept', () => {
    const file = listed('a.mp3', { changedAt: 50_001 })
    const row = stored('a.mp3')
    expect(planScan([file], [row], timing)).toEqual({ ...empty, fresh: [file], missing: [row] })
    const known = { size: 1_000, modifiedAt: 50_000, changedAt: 50_000, reason: 'Cut off', copyOf: null }
    const leftOut = new Map([['a.mp3', known]])
    expect(planScan([file], [], { ...timing, leftOut })).toEqual({ ...empty, fresh: [file] })
  })

  it('17.485 reads a file again that an older version read, not one that a newer version did', () => {
    const files = [listed('old.mp3'), listed('new.mp3')]
    const rows = [
      stored('old.mp3', { tags_version: 0 }),
      stored('new.mp3', { tags_version: tagsVersion + 1 }),
    ]
    const rereadAt = new Map([['old.mp3', 50_000]])
    const plan = planScan(files, rows, { ...timing, rereadAt })
    expect(plan).toEqual({ ...empty, fresh: [files[0]], kept: [rows[1]], missing: [rows[0]] })
  })

  it('postpones a file that is being written, and keeps its stored track until then', () => {
    const row = stored('a.mp3')
    const growing = [listed('a.mp3', { modifiedAt: 99_000 }), listed('b.mp3', { modifiedAt: 98_001 })]
    const plan = planScan(growing, [row], timing)
    expect(plan).toEqual({ ...empty, kept: [row], unsettled: growing })
  })

  it('does not postpone a complete file, or one with a time in the future', () => {
    const files = [listed('a.mp3', { modifiedAt: 98_000 }), listed('b.mp3', { modifiedAt: 100_001 })]
    expect(planScan(files, [], timing).fresh).toEqual(files)
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
    const plan = planScan(files, rows, timing)
    expect(plan.updated).toEqual([
      { ...rows[0], has_art: 1, cover_path: 'cover.jpg', cover_version: '1' },
      { ...rows[1], cover_path: 'cover.jpg' },
      { ...rows[2], cover_version: '2' },
      { ...rows[3], has_art: 0, cover_path: null, cover_version: null },
    ])
    expect(plan.kept).toEqual([rows[4]])
  })

  it('13.16 brings back a missing file without reading it, if it is the same', () => {
    const row = stored('a.mp3', { missing_since: 60_000 })
    expect(planScan([listed('a.mp3')], [row], timing)).toEqual({
      ...empty,
      updated: [{ ...row, missing_since: null }],
    })
    expect(planScan([listed('a.mp3', { size: 5 })], [row], timing).fresh).toHaveLength(1)
    expect(planScan([], [row], timing)).toEqual(empty)
  })

  it('does not read broken files and copies again until they change', () => {
    const leftOut = new Map([
      [
        'broken.mp3',
        { size: 1_000, modifiedAt: 50_000, changedAt: 50_000, reason: 'The file is empty', copyOf: null },
      ],
    ])
    const file = listed('broken.mp3')
    expect(planScan([file], [], { ...timing, leftOut })).toEqual({ ...empty, leftOut: [file] })
    const repaired = listed('broken.mp3', { modifiedAt: 60_000 })
    expect(planScan([repaired], [], { ...timing, leftOut })).toEqual({ ...empty, fresh: [repaired] })
  })
})
