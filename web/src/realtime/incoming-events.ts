import type { ServerEventName, ServerPayload } from '@earshot/core/protocol/socket-events'

/** Who wants to hear which event of the server, over all the connections that come and go. */
export interface IncomingEvents {
  on<Name extends ServerEventName>(name: Name, listener: (payload: ServerPayload<Name>) => void): () => void
  /** Something arrived; names that nobody asked for are nobody's. */
  dispatch(name: string, payload: unknown): Promise<void>
}

type Listener = (payload: never) => void

export function createIncomingEvents(): IncomingEvents {
  const listeners = new Map<string, Set<Listener>>()
  return {
    on(name, listener) {
      const known = listeners.get(name) ?? new Set<Listener>()
      listeners.set(name, known.add(listener))
      return () => known.delete(listener)
    },
    async dispatch(name, payload) {
      if (import.meta.env.DEV && !(await isWellFormed(name, payload))) return
      for (const listener of listeners.get(name) ?? []) listener(payload as never)
    },
  }
}

/** In development what does not keep to the contract is dropped and told; in production the server is trusted. */
async function isWellFormed(name: string, payload: unknown): Promise<boolean> {
  const { serverEvents } = await import('@earshot/core/protocol/socket-events')
  const schema = Object.entries(serverEvents).find(([known]) => known === name)?.[1]
  const result = schema?.safeParse(payload)
  if (result && !result.success) reportError(new Error(`Malformed ${name}: ${result.error.message}`))
  return result?.success ?? false
}
