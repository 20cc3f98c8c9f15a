import type { IncomingMessage, Server } from 'node:http'
import { connectionKey } from '../address-key.ts'
import type { Env } from '../env/env.ts'
import type { SecurityLog } from '../ops/security-log.ts'
import { limitChunks } from './chunk-limit.ts'
import { type AddressOf, createIsProxy } from './client-address.ts'
import { limitOpenConnections } from './connection-limit.ts'
import { answerInTurn } from './request-turns.ts'

/** A page has one WebSocket, and up to six connections of HTTP while it loads. */
const connectionsPerSocket = 5

/**
 * Bounds the connections of each address and what one connection may ask for at a time. To be called once all listeners of
 * requests are there.
 */
export function limitClients(
  server: Server,
  { env, addressOf, securityLog }: { env: Env; addressOf: AddressOf; securityLog: SecurityLog },
): void {
  const logCutOff = (request: IncomingMessage): void =>
    securityLog.record('cut_off', { address: addressOf(request), at: 'http' })
  answerInTurn(server, logCutOff)
  limitChunks(server, logCutOff)
  const isProxy = createIsProxy(env)
  limitOpenConnections(server, {
    keyOf: (address) => (isProxy(address) ? null : connectionKey(address)),
    perAddress: connectionsPerSocket * env.socketsPerAddress,
    onTooMany: (address) => securityLog.record('limit_reached', { address, at: 'connection' }),
  })
}
