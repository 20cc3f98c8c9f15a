import { EventEmitter } from 'node:events'
import { limits } from '@earshot/core/limits'
import { describe, expect, it } from 'vitest'
import type { RoomServer } from './client-event.ts'
import { limitConnections } from './socket-server.ts'

/** Simulates connections without a network. */
function openServer() {
  const io = new EventEmitter()
  const connect = (id: string) => {
    const socket = Object.assign(new EventEmitter(), { data: { session: { id: 's', user: { id } } } })
    io.emit('connection', socket)
    return () => socket.emit('disconnect')
  }
  return { connections: limitConnections(io as unknown as RoomServer), connect }
}

const refused = expect.objectContaining({ code: 'rate_limited' })

describe('the connections of a user', () => {
  it('5.8d are 100 at a time at most', async () => {
    const { connections, connect } = openServer()
    const hangUps = Array.from({ length: 100 }, () => connect('ann'))
    await expect(connections.admit('ann')).rejects.toEqual(refused)
    await connections.admit('ben')
    hangUps[0]?.()
    await connections.admit('ann')
  })

  it('5.8d are opened 100 times in 10 s at most', async () => {
    const { connections } = openServer()
    expect(limits.rates.connect).toEqual({ points: 100, perMs: 10_000 })
    for (let time = 0; time < 100; time++) await connections.admit('ann')
    await expect(connections.admit('ann')).rejects.toEqual(refused)
    await connections.admit('ben')
  })
})
