import { spawn, type ChildProcess } from 'node:child_process'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { prioritiseSound } from './audio-priority.ts'
import { recordedRate } from './recording.ts'

const run = promisify(execFile)
const startTimeoutMs = 15_000

/** A PulseAudio server with one silent device, of which every browser gets a pair of channels. */
export interface SoundServer {
  /** Environment for a browser that plays on the given pair (0-based). */
  environment(listener: number): Record<string, string>
  /** Records all pairs, sample-aligned, until the returned function is called. `recording.ts` describes the format. */
  record(): Promise<() => Promise<Buffer>>
  stop(): Promise<void>
}

/**
 * Loads one null sink with two channels per listener, and on it one remapped sink per listener, without mixing. Its
 * monitor records all listeners on one clock.
 */
export async function startSoundServer(listeners: number): Promise<SoundServer> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-sound-'))
  const socket = join(folder, 'native')
  const daemon = spawnDaemon(folder, socket, loadArguments(listeners))
  const env = { ...process.env, PULSE_SERVER: `unix:${socket}`, PULSE_RUNTIME_PATH: folder, HOME: folder }
  await waitUntilReady(daemon, socket, env)
  const endPriority = prioritiseSound()
  return {
    environment: (listener) => ({ PULSE_SERVER: `unix:${socket}`, PULSE_SINK: `listener${listener}` }),
    record: () => record(listeners, env),
    stop: async () => {
      endPriority()
      if (daemon.exitCode === null) {
        const ended = once(daemon, 'exit')
        daemon.kill('SIGTERM')
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Channel names in the order of a sink with many channels; PulseAudio has 32 auxiliary ones. */
const channels = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `aux${from + index}`).join(',')

function loadArguments(listeners: number): string[] {
  const all = `sink_name=everybody rate=${recordedRate} channels=${listeners * 2} channel_map=${channels(0, listeners * 2)}`
  const modules = [`module-null-sink ${all}`]
  for (let listener = 0; listener < listeners; listener += 1) {
    modules.push(
      `module-remap-sink sink_name=listener${listener} master=everybody remix=no channels=2 ` +
        `channel_map=front-left,front-right master_channel_map=${channels(listener * 2, 2)}`,
    )
  }
  return modules.flatMap((module) => ['-L', module])
}

function spawnDaemon(folder: string, socket: string, modules: string[]): ChildProcess {
  const fixed = ['-n', '--daemonize=no', '--exit-idle-time=-1', '--use-pid-file=no', '--log-level=error']
  const access = ['-L', `module-native-protocol-unix socket=${socket} auth-anonymous=1`]
  return spawn('pulseaudio', [...fixed, ...modules, ...access], {
    stdio: 'ignore',
    env: { ...process.env, HOME: folder, PULSE_RUNTIME_PATH: folder, XDG_RUNTIME_DIR: folder },
  })
}

async function waitUntilReady(daemon: ChildProcess, socket: string, env: NodeJS.ProcessEnv): Promise<void> {
  const giveUpAt = performance.now() + startTimeoutMs
  while (performance.now() < giveUpAt) {
    if (daemon.exitCode !== null) break
    if (existsSync(socket)) {
      const answer = await run('pactl', ['info'], { env }).catch(() => null)
      if (answer) return
    }
    await delay(100)
  }
  throw new Error('The sound server did not start: pulseaudio is installed, but refuses to run here')
}

async function record(listeners: number, env: NodeJS.ProcessEnv): Promise<() => Promise<Buffer>> {
  const recorder = spawn(
    'parec',
    [
      '--device=everybody.monitor',
      '--format=s16le',
      `--rate=${recordedRate}`,
      `--channels=${listeners * 2}`,
      `--channel-map=${channels(0, listeners * 2)}`,
      '--latency-msec=20',
      '--raw',
    ],
    { stdio: ['ignore', 'pipe', 'ignore'], env },
  )
  const chunks: Buffer[] = []
  recorder.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(recorder.stdout, 'data')
  return async () => {
    const ended = once(recorder, 'close')
    recorder.kill('SIGINT')
    await ended
    return Buffer.concat(chunks)
  }
}
