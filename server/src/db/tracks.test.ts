import { expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { addRoom } from '../../test/music-server.ts'
import type { Db } from './database.ts'
import { isTrackInRoomOf, isTrackPublic, upsertTracks } from './tracks.ts'

/** Rooms: `open` is public and plays `current`, with `queued` in its queue; `closed` is private and plays `hidden`. */
async function fill(db: Db): Promise<void> {
  const track = { artist: 'Ann', album: 'Sea', duration: 1, source: 'library' as const }
  const art = { albumArt: null, album_art: null }
  const ids = ['current', 'queued', 'hidden', 'unused']
  await upsertTracks(
    db,
    ids.map((id) => ({ ...track, ...art, id, title: id })),
    1,
  )
  await addRoom(db, 'open', { members: ['member'], current: 'current', queued: ['queued'] })
  await addRoom(db, 'closed', { isPublic: false, members: ['admitted'], current: 'hidden' })
  await addRoom(db, 'silent', { members: ['member', 'elsewhere'] })
}

describeDatabases('access to a track', (open) => {
  it.each([
    ['member', 'current', true],
    ['member', 'queued', true],
    ['member', 'hidden', false],
    ['member', 'unused', false],
    ['member', 'unknown', false],
    ['admitted', 'hidden', true],
    ['admitted', 'current', false],
    ['admitted', 'queued', false],
    ['elsewhere', 'current', false],
    ['elsewhere', 'queued', false],
    // Owning a room does not make a user a member.
    ['owner', 'current', false],
    ['stranger', 'current', false],
  ])('%s may hear %s: %s', async (userId, trackId, isAllowed) => {
    const db = await open()
    await fill(db)
    expect(await isTrackInRoomOf(db, userId, trackId)).toBe(isAllowed)
  })

  it.each([
    ['current', true],
    ['queued', false],
    ['hidden', false],
    ['unused', false],
    ['unknown', false],
  ])('everybody may see the cover of %s: %s', async (trackId, isAllowed) => {
    const db = await open()
    await fill(db)
    expect(await isTrackPublic(db, trackId)).toBe(isAllowed)
  })
})
