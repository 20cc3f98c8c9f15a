import { describe, expect, it } from 'vitest'
import { shareApp, signUp } from '../../test/apps.ts'
import { ask } from '../../test/ask.ts'

describe('an answer', () => {
  const app = shareApp()

  it('above a minimum size is compressed if the client accepts it', async () => {
    const url = `${app.address}/api/openapi.json`
    const packed = await ask(url, { headers: { 'accept-encoding': 'br' } })
    expect(packed.headers.get('content-encoding')).toBe('br')
    expect(packed.headers.get('vary')).toMatch(/accept-encoding/i)
    const plain = await ask(url, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(plain.json).toEqual(packed.json)
  })

  it('15.64 up to 16 kB are compressed in one go, so that their length is known; longer ones as a stream', async () => {
    const headers = { 'accept-encoding': 'br' }
    const createRooms = async (name: string, count: number) => {
      const owner = await signUp(app, name)
      for (let room = 0; room < count; room++) {
        await app.call(owner, 'POST', '/api/rooms', { name: `Room ${room}` })
      }
    }
    await createRooms('ann', 9)
    const plain = await ask(`${app.address}/api/rooms`, { headers: { 'accept-encoding': 'identity' } })
    const { length } = JSON.stringify(plain.json)
    expect(length).toBeGreaterThan(4_096)
    expect(length).toBeLessThan(16_384)
    const small = await ask(`${app.address}/api/rooms`, { headers })
    expect(small.headers.get('content-encoding')).toBe('br')
    expect(Number(small.headers.get('content-length'))).toBeGreaterThan(0)
    for (const name of ['ben', 'cleo']) await createRooms(name, 18)
    const large = await ask(`${app.address}/api/rooms`, { headers })
    expect(JSON.stringify(large.json).length).toBeGreaterThan(16_384)
    expect(large.headers.get('content-encoding')).toBe('br')
    expect(large.headers.get('content-length')).toBeNull()
  })
})
