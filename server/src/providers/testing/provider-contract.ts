import { trackSchema, type Track } from '@earshot/core/protocol/entities'
import { describe, expect, it } from 'vitest'
import type { TrackProvider } from '../provider.ts'

/** The set-up of a contract test: a provider with tracks to find, and a way to make it fail. */
export interface ProviderCase {
  provider: TrackProvider
  /** The user who searches; any if the source is the same for all. */
  userId?: string
  /** A query that finds at least three tracks. */
  query: string
  /** A query that finds nothing. */
  unmatchedQuery: string
  /** Finds the stored track of an id, or null. */
  findStored: (trackId: string) => Promise<Track | null>
  /** Makes the source unavailable. */
  breakDown: () => Promise<void>
}

/** Describes the contract of every provider. `open` creates a new case for each test. */
export function describeProvider(name: string, open: () => Promise<ProviderCase>): void {
  describe(`${name} as a track provider`, () => {
    it('finds tracks of its own source that match the track schema', async () => {
      const { provider, query, userId = 'ann' } = await open()
      const { tracks, total } = await provider.search(query, { offset: 0, limit: 20 }, userId)
      expect(tracks.length).toBeGreaterThanOrEqual(3)
      expect(total).toBeGreaterThanOrEqual(tracks.length)
      for (const track of tracks) {
        expect(trackSchema.parse(track)).toEqual(track)
        expect(track.source).toBe(provider.source)
        expect(track.albumArt).toBe(track.album_art)
      }
    })

    it('7.4 stores what it finds, so that its id is enough to queue it', async () => {
      const { provider, query, findStored, userId = 'ann' } = await open()
      const { tracks } = await provider.search(query, { offset: 0, limit: 20 }, userId)
      for (const track of tracks) expect(await findStored(track.id)).toEqual(track)
    })

    it('pages through the same order without gaps or repetitions', async () => {
      const { provider, query, userId = 'ann' } = await open()
      const all = await provider.search(query, { offset: 0, limit: 20 }, userId)
      const first = await provider.search(query, { offset: 0, limit: 2 }, userId)
      const rest = await provider.search(query, { offset: 2, limit: 20 }, userId)
      expect(first.tracks).toHaveLength(2)
      expect([...first.tracks, ...rest.tracks]).toEqual(all.tracks)
      expect([first.total, rest.total]).toEqual([all.total, all.total])
    })

    it('returns an empty page beyond the end, and for a query without matches', async () => {
      const { provider, query, unmatchedQuery, userId = 'ann' } = await open()
      const { total } = await provider.search(query, { offset: 0, limit: 20 }, userId)
      expect(await provider.search(query, { offset: total + 5, limit: 20 }, userId)).toEqual({
        tracks: [],
        total,
      })
      expect(await provider.search(unmatchedQuery, { offset: 0, limit: 20 }, userId)).toEqual({
        tracks: [],
        total: 0,
      })
    })

    it('5.5 finds nothing for a blank query', async () => {
      const { provider, userId = 'ann' } = await open()
      expect(await provider.search('  \t ', { offset: 0, limit: 20 }, userId)).toEqual({
        tracks: [],
        total: 0,
      })
    })

    it('reports why it is unavailable, and rejects searches with the same reason', async () => {
      const { provider, query, breakDown, userId = 'ann' } = await open()
      expect(await provider.status(userId)).toEqual({
        source: provider.source,
        available: true,
        reason: null,
      })
      await breakDown()
      const { available, reason } = await provider.status(userId)
      expect(available).toBe(false)
      expect(reason).toMatch(/\w+/)
      const search = provider.search(query, { offset: 0, limit: 20 }, userId)
      await expect(search).rejects.toMatchObject({ code: 'source_unavailable', message: reason })
    })
  })
}
