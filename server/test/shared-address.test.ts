import { describe, expect, it } from 'vitest'
import { enterAsGuest, signUp, startApp, type TestUser } from './apps.ts'
import { ask } from './ask.ts'
import { makeFolder, writeIn } from './folders.ts'
import { freezeWindows } from './rate-windows.ts'
import { openJoinedRoom } from './sockets.ts'
import { otherRates } from '../src/limits/rates.ts'

const times = <Result>(count: number, run: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))

async function startWithPage(variables: Record<string, string> = {}) {
  const pageFolder = await makeFolder()
  for (const name of ['index.html', 'room.html'])
    await writeIn(pageFolder, name, '<!doctype html><head></head>')
  const app = await startApp({ pageFolder, variables })
  const statusOf = async (path: string, user?: TestUser) =>
    (await ask(app.address + path, { headers: user ? { cookie: user.cookie } : {} })).status
  return { app, statusOf }
}

describe('many people behind one address', () => {
  it('16.256 a party of 60 that opens a link within 10 s gets page, door, session and sound, and a school of 300 page and door', async () => {
    const { app, statusOf } = await startWithPage()
    const { id: roomId } = await openJoinedRoom(app, { trackCount: 0 })
    freezeWindows()
    const pages = await times(300, () => statusOf(`/room/${roomId}`))
    const doors = await times(300 * 3, () => statusOf(`/api/rooms/${roomId}/door`))
    expect(new Set([...pages, ...doors])).toEqual(new Set([200]))
    const guests = await times(60, (guest) => enterAsGuest(app, `Guest ${guest}`))
    for (const path of ['/api/auth/get-session', '/api/tracks/none/waveform', '/api/tracks/none/stream'])
      expect(await times(60, (guest) => statusOf(path, guests[guest]))).not.toContain(429)
  })

  it('16.256 a guest who floods the server takes calls, pages and sound from nobody else of the network', async () => {
    const { app, statusOf } = await startWithPage()
    const [rude, honest] = [await signUp(app, 'rude'), await signUp(app, 'honest')]
    const paths = ['/api/config', '/api/tracks/none/stream', '/assets/none.js'] as const
    freezeWindows()
    for (const [index, rate] of (['http', 'media', 'pages'] as const).entries()) {
      const path = paths[index]!
      const answers = await times(otherRates[rate].points + 1, () => statusOf(path, rude))
      expect(answers.filter((status) => status === 429)).toHaveLength(1)
      expect(await statusOf(path, honest)).not.toBe(429)
      expect(await statusOf(path)).not.toBe(429)
    }
  })

  it('16.258 PEOPLE_PER_ADDRESS sets how many guests an address may make, unless GUESTS_PER_ADDRESS does', async () => {
    const { app } = await startWithPage({ PEOPLE_PER_ADDRESS: '2' })
    await enterAsGuest(app, 'One')
    await enterAsGuest(app, 'Two')
    await expect(enterAsGuest(app, 'Three')).rejects.toThrow('429')
    const { app: other } = await startWithPage({ PEOPLE_PER_ADDRESS: '2', GUESTS_PER_ADDRESS: '1' })
    await enterAsGuest(other, 'One')
    await expect(enterAsGuest(other, 'Two')).rejects.toThrow('429')
  })
})
