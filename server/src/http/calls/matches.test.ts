import type { Track } from '@earshot/core/protocol/entities'
import type { TrackMatch } from '@earshot/core/protocol/providers'
import { makeTrack } from '@earshot/core/testing/tracks'
import { describe, expect, it } from 'vitest'
import { writeIn } from '../../../test/folders.ts'
import { startMusicServer } from '../../../test/music-server.ts'
import { makeWav } from '../../../test/wav.ts'
import { insertProfile, updateProfile } from '../../db/profiles.ts'
import { upsertTracks } from '../../db/tracks.ts'

const artist = 'Paper Lanterns'
const isrc = 'QZEAR2500001'

/** The library's songs last 100 ms. */
const songs = [
  { title: 'Harbour Lights', artist, album: '' },
  { title: 'Winter Postcards', artist, album: '' },
  { title: 'Mañana', artist: 'Señor Café', album: '' },
]
const found: Track[] = [
  { ...makeTrack('youtube:v1', 1_100, 'youtube'), title: 'Harbour Lights (Official Video)', artist },
  {
    ...makeTrack('youtube:v2', 100, 'youtube'),
    title: 'Harbour Lights',
    artist,
    restriction: 'not_embeddable',
  },
  { ...makeTrack('youtube:v3', 3_101, 'youtube'), title: 'Harbour Lights', artist },
  { ...makeTrack('youtube:v4', 100, 'youtube'), title: 'Señor Café - Mañana', artist: 'An uploader' },
  { ...makeTrack('spotify:s1', 500, 'spotify'), title: 'Lumières', artist: 'PL', isrc },
]

async function start() {
  const server = await startMusicServer(async (musicDir) => {
    for (const [seed, song] of songs.entries()) {
      await writeIn(musicDir, `${seed}.wav`, makeWav({ ...song, seed }))
    }
  })
  const { db, request } = server
  await upsertTracks(db, found, 1)
  await db
    .updateTable('tracks')
    .set({ isrc })
    .where('source', '=', 'library')
    .where('title', '=', 'Harbour Lights')
    .execute()
  for (const id of ['ann', 'bob']) {
    await insertProfile(db, { id, username: id, avatarUrl: null, createdAtMs: 1 })
  }
  await updateProfile(db, 'ann', { match_elsewhere: true })
  const rows = await db.selectFrom('tracks').select(['id', 'title']).where('source', '=', 'library').execute()
  const idOf = (title: string): string => rows.find((row) => row.title === title)?.id ?? ''
  const matches = async (trackId: string, user = 'ann') => {
    const answer = await request(`/api/tracks/${encodeURIComponent(trackId)}/matches`, { user })
    const { matches: list } = (await answer.json()) as { matches: TrackMatch[] }
    return list.map(({ track, confidence, by }) => [track.id, by, Number(confidence.toFixed(2))])
  }
  return { request, matches, idOf }
}

describe('the same song elsewhere', () => {
  it('15.16 is found by title, artist and duration, or by its code', async () => {
    const { matches, idOf } = await start()
    const harbour = idOf('Harbour Lights')
    expect(await matches('youtube:v1')).toEqual([[harbour, 'text', 0.97]])
    expect(await matches('spotify:s1')).toEqual([[harbour, 'isrc', 1]])
    expect(await matches(harbour)).toEqual([['youtube:v1', 'text', 0.97]])
    expect(await matches(idOf('Mañana'))).toEqual([['youtube:v4', 'text', 1]])
    expect(await matches('youtube:v4')).toEqual([[idOf('Mañana'), 'text', 1]])
    expect(await matches(idOf('Winter Postcards'))).toEqual([])
  })

  it('15.16 is offered only to users who switched it on', async () => {
    const { matches, request } = await start()
    expect(await matches('youtube:v1', 'bob')).toEqual([])
    expect((await request('/api/tracks/youtube:v1/matches')).status).toBe(401)
    expect((await request('/api/tracks/youtube:unknown/matches', { user: 'ann' })).status).toBe(404)
  })
})
