import { expect, it, onTestFinished } from 'vitest'
import { startApp } from './apps.ts'
import { captureLog } from './log.ts'
import { startRedis } from './redis.ts'
import { openJoinedRoom } from './sockets.ts'

it('16.207 while Redis is away, members add to the queue and go back in the chat', async () => {
  const redis = await startRedis()
  onTestFinished(() => redis.stop())
  const app = await startApp({ redisUrl: redis.url, logger: captureLog().logger })
  const { id: roomId, owner, tracks } = await openJoinedRoom(app)
  await owner.ask('send_message', { roomId, message: 'before' })
  await redis.stop()
  const call = <Answer>(method: string, path: string, body?: object): Promise<Answer> =>
    app.call(owner.user, method, `/api/rooms/${roomId}/${path}`, body)
  await call('POST', 'queue', { trackId: tracks[0]!.id })
  const { queue } = await call<{ queue: object[] }>('GET', 'queue')
  // Without the current track.
  expect(queue).toHaveLength(tracks.length)
  const { messages } = await call<{ messages: object[] }>('GET', 'messages')
  expect(messages).toMatchObject([{ content: 'before' }])
})
