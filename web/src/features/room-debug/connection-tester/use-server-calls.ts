import type { ServerCalls } from '../../../engine/debug-access.ts'
import { useConnection } from '../../room/use-room.ts'

/** What can be asked of the room's server; without a connection everything fails as it does on a lost one. */
export const useServerCalls = (): ServerCalls => useConnection()
