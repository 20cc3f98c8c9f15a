import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { createTally } from '../limits/tally.ts'

export interface ConnectionLimitOptions {
  /** Under which the connections of an address count; null: they do not. */
  keyOf: (address: string) => string | null
  perAddress: number
  onTooMany: (address: string) => void
}

/** Bounds the open connections of each address, WebSockets included: each takes one of the file descriptors of all. */
export function limitOpenConnections(server: Server, options: ConnectionLimitOptions): void {
  const { keyOf, perAddress, onTooMany } = options
  const open = createTally()
  // Shared by all connections: a closure of each would hold memory as long as it is open.
  function onClose(this: Socket): void {
    open.remove(keyOf(addressOf(this)))
  }
  server.prependListener('connection', (socket) => {
    const address = addressOf(socket)
    const key = keyOf(address)
    if (open.count(key) >= perAddress) {
      onTooMany(address)
      socket.destroy()
      return
    }
    open.add(key)
    socket.once('close', onClose)
  })
}

/** The one that Node keeps after it was read once, also of a closed socket. */
const addressOf = ({ remoteAddress }: Socket): string => remoteAddress ?? ''
