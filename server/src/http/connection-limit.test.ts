import { once } from 'node:events'
import { expect, it, vi } from 'vitest'
import { startBareServer } from '../../test/bare-server.ts'
import { limitOpenConnections } from './client-limits.ts'

it('15.103 an address has so many connections open, whether or not they ask for anything', async () => {
  const { server, open } = await startBareServer((it) => it.get('/here', async () => 'here'))
  const onTooMany = vi.fn<(address: string) => void>()
  limitOpenConnections(server.server, { keyOf: (address) => address, perAddress: 2, onTooMany })
  const isAnswered = async (): Promise<boolean> => {
    const socket = await open()
    socket.on('error', () => undefined)
    socket.write('GET /here HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    return await new Promise((resolve) => {
      socket.once('data', () => resolve(true))
      socket.once('close', () => resolve(false))
    })
  }
  const silent = [await open(), await open()]
  expect(await isAnswered()).toBe(false)
  expect(onTooMany.mock.calls).toEqual([['127.0.0.1']])
  silent[0]?.destroy()
  await expect.poll(isAnswered).toBe(true)
  await expect.poll(isAnswered).toBe(true)
})

it('15.103 connections that do not count, as those of a proxy, are not limited', async () => {
  const { server, open } = await startBareServer((it) => it.get('/here', async () => 'here'))
  limitOpenConnections(server.server, { keyOf: () => null, perAddress: 1, onTooMany: () => undefined })
  await open()
  const socket = await open()
  socket.write('GET /here HTTP/1.1\r\nhost: x\r\n\r\n')
  expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1.1 200 /)
})
