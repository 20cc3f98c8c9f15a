import { describe, expect, it, vi } from 'vitest'
import { shareApp, signUp } from './apps.ts'
import { connect, openJoinedRoom } from './sockets.ts'

describe('joins at once', () => {
  const app = shareApp()

  it('16.299 who joins a room at once shares one encoding of its snapshot', async () => {
    const { id: roomId } = await openJoinedRoom(app)
    const users = await Promise.all(Array.from({ length: 5 }, (_, index) => signUp(app, `ann${index}`)))
    const clients = await Promise.all([users, users, users, users].flat().map((user) => connect(app, user)))
    const stringify = vi.spyOn(JSON, 'stringify')
    const join = { roomId, longQueues: true }
    const snapshots = await Promise.all(clients.map((client) => client.ask('join_room', join)))
    const encoded = stringify.mock.results.map(({ value }) => String(value))
    stringify.mockRestore()
    for (const { queue } of snapshots) expect(queue.map((entry) => entry.id)).toEqual(['t2', 't3'])
    // One for who came first, and one for those who came while the room was read.
    expect(encoded.filter((json) => json.includes('"serverTime":')).length).toBeLessThanOrEqual(
      clients.length / 2,
    )
  })
})
