import { describe, expect, it } from 'vitest'
import { createPlannedProviders } from './planned-providers.ts'

const reasons = async (options: Parameters<typeof createPlannedProviders>[0]): Promise<(string | null)[]> => {
  const states = await Promise.all(
    createPlannedProviders(options).map(async (provider) => await provider.status(null)),
  )
  return states.map((status) => status.reason)
}

describe('planned providers', () => {
  it('2.26a name what is missing and where to set it', async () => {
    expect(await reasons({ spotify: { credentials: null } })).toEqual([
      expect.stringMatching(/^Set SPOTIFY_CLIENT_ID and SPOTIFY_CLIENT_SECRET in the server's environment/),
    ])
  })

  it('state that setting it is not enough yet', async () => {
    expect(await reasons({ spotify: { credentials: {} } })).toEqual([
      expect.stringMatching(
        /^SPOTIFY_CLIENT_ID and SPOTIFY_CLIENT_SECRET are set, but .* not play Spotify yet/,
      ),
    ])
  })

  it('reject searches with the same reason', async () => {
    for (const provider of createPlannedProviders({ spotify: { credentials: null } })) {
      const { available, reason } = await provider.status(null)
      expect(available).toBe(false)
      const search = provider.search('blue', { offset: 0, limit: 20 }, 'ann')
      await expect(search).rejects.toMatchObject({ code: 'source_unavailable', message: reason })
    }
  })
})
