import { describe, expect, it } from 'vitest'
import { createPlannedProviders } from './planned-providers.ts'

describe('planned providers', () => {
  it('2.26a name what is missing and where to set it, and that it is not enough yet', () => {
    for (const [apiKey, start] of [
      [null, "Set YOUTUBE_API_KEY in the server's environment"],
      ['key', 'YOUTUBE_API_KEY is set, but'],
    ] as const) {
      const [reason] = createPlannedProviders({ youtube: { apiKey } }).map((each) => each.status(null).reason)
      expect(reason).toMatch(new RegExp(`^${start}.*does not play YouTube yet`))
    }
  })

  it('reject searches with the same reason', async () => {
    for (const provider of createPlannedProviders({ youtube: { apiKey: null } })) {
      const { available, reason } = provider.status(null)
      expect(available).toBe(false)
      const search = provider.search('blue', { offset: 0, limit: 20 }, 'ann')
      await expect(search).rejects.toMatchObject({ code: 'source_unavailable', message: reason })
    }
  })
})
