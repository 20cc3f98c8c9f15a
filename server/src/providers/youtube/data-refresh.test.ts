import { apiFaults } from '@earshot/provider-doubles/youtube/api-server'
import { defaultApiKey } from '@earshot/provider-doubles/youtube/youtube-double'
import { toTrackId } from '@earshot/core/protocol/providers'
import { createFakeClock } from '@earshot/core/testing/fake-clock'
import { makeTrack } from '@earshot/core/testing/tracks'
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../../test/databases.ts'
import { addRoom } from '../../../test/music-server.ts'
import type { Db } from '../../db/database.ts'
import { findTrack, findTracks, upsertTracks } from '../../db/tracks.ts'
import { findVideoSearch, findVideoSearchCount, storeVideoSearch } from '../../db/youtube.ts'
import { startDataRefresh } from './data-refresh.ts'
import { createSearchQuotas, quotaDay } from './search-quota.ts'
import { apiPath, startDouble } from './testing/youtube-app.ts'
import { createVideoStore } from './video-store.ts'
import { createYoutubeApi } from './youtube-api.ts'

const dayMs = 86_400_000
const ids = ['harbour0001', 'rock-n-roll', 'cooking_001', 'short_clip1']
const trackIds = ids.map((id) => toTrackId('youtube', id))

/** Videos of which the first is current in a room, the second queued, and the others unused. */
async function start(db: Db, serverKey: string | null = defaultApiKey) {
  const clock = createFakeClock(Date.parse('2026-07-01T12:00:00Z'))
  const double = await startDouble({ now: () => clock.now() })
  const api = createYoutubeApi(double)
  const videos = createVideoStore({ db, clock, api })
  const quotas = createSearchQuotas(db, clock)
  await videos.read(ids, defaultApiKey)
  await addRoom(db, 'room', { current: trackIds[0] ?? null, queued: [trackIds[1] ?? ''] })
  const logger = pino({ level: 'silent' })
  return {
    clock,
    double,
    quotas,
    stored: async () => [...(await findTracks(db, trackIds)).keys()].toSorted(),
    find: (index: number) => findTrack(db, trackIds[index] ?? ''),
    /** Lets time pass, then one run begin and end. */
    refreshAfter: async (days: number): Promise<void> => {
      clock.advance(days * dayMs)
      const stop = startDataRefresh({ db, clock, logger, api, videos, quotas, serverKey })
      clock.advance(60_000)
      await stop()
    },
  }
}

describeDatabases('stored data of YouTube', (open) => {
  it('15.15 is read again before 30 days for tracks in rooms, and deleted for others', async () => {
    const db = await open()
    const { double, clock, stored, find, refreshAfter } = await start(db)
    await storeVideoSearch(db, 'piano', trackIds, clock.now())
    await refreshAfter(28)
    expect(await stored()).toHaveLength(4)
    expect(double.calls).toHaveLength(1)

    double.control.catalogue.put({ id: 'harbour0001', title: 'Renamed', isEmbeddable: false })
    double.control.catalogue.remove('rock-n-roll')
    await refreshAfter(1.5)
    expect(await stored()).toEqual([trackIds[0], trackIds[1]])
    expect(await find(0)).toMatchObject({ title: 'Renamed', restriction: 'not_embeddable' })
    expect(await find(1)).toMatchObject({ restriction: 'removed' })
    expect(await findVideoSearch(db, 'piano', 0)).toBeNull()
    // One request for both.
    expect(double.calls).toHaveLength(2)
  })

  it('15.15 loses its texts after 30 days if YouTube does not answer, and recovers', async () => {
    const { double, stored, find, refreshAfter } = await start(await open())
    double.control.faults.add(apiPath, apiFaults.serverError)
    await refreshAfter(29.5)
    expect(await stored()).toHaveLength(2)
    expect(await find(0)).toMatchObject({ title: 'Harbour Lights (Official Video)' })
    await refreshAfter(1)
    expect(await find(0)).toMatchObject({
      title: 'YouTube video',
      albumArt: null,
      duration: 180_000,
      duration_unknown: true,
      url: 'https://www.youtube.com/watch?v=harbour0001',
    })
    double.control.faults.clear()
    await refreshAfter(0.1)
    expect(await find(0)).toMatchObject({ title: 'Harbour Lights (Official Video)', duration: 214_000 })
  })

  it('15.15 is read again without a key too', async () => {
    const { double, find, refreshAfter } = await start(await open(), null)
    double.control.catalogue.put({ id: 'harbour0001', title: 'Renamed' })
    double.control.catalogue.remove('rock-n-roll')
    await refreshAfter(29.5)
    expect(await find(0)).toMatchObject({ title: 'Renamed', duration: 214_000 })
    expect(await find(1)).toMatchObject({ restriction: 'removed' })
  })

  it('15.15 tracks of Spotify are deleted too, unless a room has them', async () => {
    const db = await open()
    const { clock, refreshAfter } = await start(db)
    const [used, unused] = ['spotify:used', 'spotify:unused'] as const
    const tracks = [used, unused].map((id) => makeTrack(id, 200_000, 'spotify'))
    await upsertTracks(db, tracks, clock.now())
    await addRoom(db, 'another', { current: used, queued: [] })
    await refreshAfter(28)
    expect([...(await findTracks(db, [used, unused])).keys()]).toHaveLength(2)
    await refreshAfter(1.5)
    expect([...(await findTracks(db, [used, unused])).keys()]).toEqual([used])
  })

  it('forgets the counts of past days', async () => {
    const db = await open()
    const { clock, quotas, refreshAfter } = await start(db)
    await quotas.take({ key: defaultApiKey, isOwn: true }, 'ann')
    const [row] = await db.selectFrom('youtube_quota').selectAll().execute()
    expect(row).toMatchObject({ day: quotaDay(clock.now()), used: 1 })
    await refreshAfter(2)
    expect(await findVideoSearchCount(db, { keyId: row?.key_id ?? '', day: row?.day ?? '' })).toBe(0)
  })
})
