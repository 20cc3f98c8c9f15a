import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import { otherRates } from '../limits/rates.ts'
import { limitConnections } from './connection-limits.ts'
import type { RoomServer } from './room-sockets.ts'

/** Simulates connections without a network. */
function openServer(perAddress = 1_000) {
  const io = new EventEmitter()
  const connect = (id: string, address = 'home') => {
    const data = { session: { id: 's', user: { id } }, address }
    const socket = Object.assign(new EventEmitter(), { data })
    io.emit('connection', socket)
    return () => socket.emit('disconnect')
  }
  return { connections: limitConnections(io as unknown as RoomServer, perAddress), connect }
}

const refused = expect.objectContaining({ code: 'rate_limited' })

describe('the connections of a user', () => {
  it('5.8d are 100 at a time at most', async () => {
    const { connections, connect } = openServer()
    const hangUps = Array.from({ length: 100 }, () => connect('ann'))
    await expect(connections.admit('ann', 'home')).rejects.toEqual(refused)
    await connections.admit('ben', 'home')
    hangUps[0]?.()
    await connections.admit('ann', 'home')
  })

  it('5.8d are opened 100 times in 10 s at most', async () => {
    const { connections } = openServer()
    expect(otherRates.connect).toEqual({ points: 100, perMs: 10_000 })
    for (let time = 0; time < 100; time++) await connections.admit('ann', 'home')
    const details = { retryAfterMs: expect.any(Number) }
    await expect(connections.admit('ann', 'home')).rejects.toMatchObject({ code: 'rate_limited', details })
    await connections.admit('ben', 'home')
  })
})

it('15.62 an address has so many connections with a session at a time, whoever they are of', async () => {
  const { connections, connect } = openServer(2)
  const hangUps = ['ann', 'ben'].map((name) => connect(name))
  await expect(connections.admit('cem', 'home')).rejects.toEqual(refused)
  await connections.admit('cem', 'office')
  hangUps[0]?.()
  await connections.admit('cem', 'home')
})
