import { vi } from 'vitest'
import { makeFolder } from '../folders.ts'
import { type Child, runChild } from './run-child.ts'

/** A server in a process of its own, on a free port. */
export interface ServerProcess {
  address: string
  child: Child
  /** As of an app: for clients, which end with the test. */
  atEnd(run: () => void): void
  /** Ends it as a power cut would. */
  kill(): Promise<void>
}

/** How long it may take to start on a machine that has much else to do, ms. */
const readyWithinMs = 60_000

/** Starts the server as its users do, and waits for the line that says it is ready. */
export async function runServer(
  variables: Record<string, string>,
  script = 'src/main.ts',
): Promise<ServerProcess> {
  // Otherwise it scans the music of the repository.
  const child = runChild(script, [], { PORT: '0', MUSIC_DIR: await makeFolder(), ...variables })
  const address = await vi.waitFor(
    () => {
      const found = /^Earshot is ready at (https?:\S+)$/m.exec(child.output.stdout)?.[1]
      if (found === undefined) throw new Error(`Not ready: ${JSON.stringify(child.output)}`)
      return found
    },
    { timeout: readyWithinMs, interval: 20 },
  )
  return {
    address,
    child,
    atEnd: () => {},
    async kill() {
      child.process.kill('SIGKILL')
      await child.ended
    },
  }
}
