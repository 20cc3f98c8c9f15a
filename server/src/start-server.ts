import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createApp } from './compose/create-app.ts'
import { EnvError, listMisspelt, readEnv, type Env } from './env/env.ts'
import { listNetworkAddresses, listensOnAll } from './http/network-addresses.ts'
import { createLogger } from './ops/log.ts'
import { closeOnSignal, endOnUncaughtError, endProcess, trackThreads } from './ops/process.ts'

/** Starts the server of this process. On failure prints the reason in one sentence and exits with 1. */
export async function startServer(): Promise<void> {
  // Files are readable by the owner only.
  process.umask(0o077)
  const env = readEnvOrExit()
  const logger = await createLogger(env.logLevel)
  for (const { name, meant } of listMisspelt()) {
    logger.warn({ variable: name }, `${name} is not a setting of Earshot. Did you mean ${meant}?`)
  }
  const threads = trackThreads()
  endOnUncaughtError(logger, threads)
  try {
    const app = await createApp({ env, logger })
    closeOnSignal(() => app.close(), { logger, drainMs: env.drainMs, threads })
    app.startLibrary()
    sayAddresses(env, app.address)
    app.signInLoaded.then(collectGarbage, (error: unknown) => {
      logger.fatal({ err: error }, 'Could not load sign-in; exiting')
      void endProcess(1, threads)
    })
  } catch (error) {
    logger.debug({ err: error }, 'Could not start the server')
    say(process.stderr, describeFailure(error, env))
    await endProcess(1, threads)
  }
}

/**
 * Frees what loading the modules leaves behind: about 80 MB of resident memory, which V8 would keep until the heap has
 * doubled. Sign-in is loaded last; that blocks the thread for longer than this does.
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  setFlagsFromString('--no-expose-gc')
  collect()
}

function readEnvOrExit(): Env {
  try {
    return readEnv()
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    say(process.stderr, error.message)
    process.exit(1)
  }
}

function describeFailure(error: unknown, { host, port }: Env): string {
  const code = codeOfListening(error)
  if (code === 'EADDRINUSE') {
    return `PORT: ${port} is taken: another program listens on it. Stop that program, or set PORT to another number.`
  }
  if (code === 'EACCES') return `PORT: ${port} may not be used by this account. Set PORT to 1024 or higher.`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return `HOST: ${host} is not an address of this machine. 127.0.0.1 and 0.0.0.0 always are.`
  }
  return error instanceof Error ? error.message : String(error)
}

/** Returns the code of an error of `listen`, null for any other error. */
function codeOfListening(error: unknown): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return null
  return error.syscall === 'listen' || error.syscall === 'getaddrinfo' ? error.code : null
}

/** Where `PUBLIC_URL` is set, only the addresses in it work. */
function sayAddresses({ host, publicUrl }: Env, address: string): void {
  say(process.stdout, `Earshot is ready at ${publicUrl ?? address}`)
  if (publicUrl !== null || !listensOnAll(host)) return
  for (const each of listNetworkAddresses(new URL(address).port))
    say(process.stdout, `For other devices in the network: ${each}`)
}

/** Prints a line for the operator, outside the log. */
function say(stream: NodeJS.WriteStream, line: string): void {
  stream.write(`${line}\n`)
}
