import { describe, expect, it } from 'vitest'
import { createPlannedProviders } from './planned-providers.ts'

const reasons = (options: Parameters<typeof createPlannedProviders>[0]): (string | null)[] =>
  createPlannedProviders(options).map((provider) => provider.status(null).reason)

describe('planned providers', () => {
  it('2.26a name what is missing and where to set it', () => {
    expect(reasons({ spotify: { credentials: null }, youtube: { apiKey: null } })).toEqual([
      expect.stringMatching(/^Set SPOTIFY_CLIENT_ID and SPOTIFY_CLIENT_SECRET in the server's environment/),
      expect.stringMatching(/^Set YOUTUBE_API_KEY in the server's environment/),
    ])
  })

  it('state that setting it is not enough yet', () => {
    for (const credentials of [null, {}]) {
      for (const reason of reasons({ spotify: { credentials }, youtube: { apiKey: 'key' } })) {
        expect(reason).toMatch(/does not play (Spotify|YouTube) yet/)
      }
    }
    expect(reasons({ spotify: { credentials: {} }, youtube: { apiKey: 'key' } })).toEqual([
      expect.stringMatching(/^SPOTIFY_CLIENT_ID and SPOTIFY_CLIENT_SECRET are set, but/),
      expect.stringMatching(/^YOUTUBE_API_KEY is set, but/),
    ])
  })

  it('reject searches with the same reason', async () => {
    const options = { spotify: { credentials: null }, youtube: { apiKey: null } }
    for (const provider of createPlannedProviders(options)) {
      const { available, reason } = provider.status(null)
      expect(available).toBe(false)
      const search = provider.search('blue', { offset: 0, limit: 20 }, 'ann')
      await expect(search).rejects.toMatchObject({ code: 'source_unavailable', message: reason })
    }
  })
})
