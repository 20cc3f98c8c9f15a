import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { prioritiseSound } from './audio-priority.ts'
import { pipeSinkArguments, startOwnClocks } from './own-clocks.ts'
import { recordedRate, type FileRecording } from './recording.ts'

const run = promisify(execFile)
const startTimeoutMs = 15_000

/** A PulseAudio server with one silent device, of which every browser gets a pair of channels. */
export interface SoundServer {
  /** Environment for a browser that plays on the given pair (0-based). */
  environment(listener: number): Record<string, string>
  /** Records all pairs, sample-aligned, until the returned function is called. `recording.ts` describes the format. */
  record(): Promise<() => Promise<Buffer>>
  /** Records all pairs into a file, which can be longer than memory allows. */
  recordTo(path: string): Promise<FileRecording>
  stop(): Promise<void>
}

export interface SoundServerOptions {
  /** Whether sound threads get real-time priority, as on a desktop. Default: yes. */
  hasPriority?: boolean
  /**
   * By how much each device's clock is faster than the system's, ppm. Default: all devices share the system's clock, and
   * one recorder.
   */
  clocksPpm?: number[]
}

/**
 * Loads one null sink with two channels per listener, and on it one remapped sink per listener, without mixing. Its
 * monitor records all listeners on one clock.
 */
export async function startSoundServer(
  listeners: number,
  { hasPriority = true, clocksPpm }: SoundServerOptions = {},
): Promise<SoundServer> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-sound-'))
  const socket = join(folder, 'native')
  const daemon = spawnDaemon(
    folder,
    socket,
    clocksPpm ? pipeSinkArguments(folder, listeners) : loadArguments(listeners),
  )
  const env = { ...process.env, PULSE_SERVER: `unix:${socket}`, PULSE_RUNTIME_PATH: folder, HOME: folder }
  await waitUntilReady(daemon, socket, env)
  let recordings = 0
  const endPriority = hasPriority ? prioritiseSound() : () => undefined
  const ownClocks = clocksPpm ? await startOwnClocks(folder, clocksPpm) : null
  const recordTo = (path: string) => ownClocks?.recordTo(path) ?? recordIntoFile(path, listeners, env)
  return {
    environment: (listener) => ({ PULSE_SERVER: `unix:${socket}`, PULSE_SINK: `listener${listener}` }),
    recordTo,
    record: async () => {
      const path = join(folder, `recording-${(recordings += 1)}`)
      const recording = await recordTo(path)
      return async () => {
        await recording.stop()
        const samples = readFileSync(path)
        rmSync(path)
        return samples
      }
    },
    stop: async () => {
      endPriority()
      await ownClocks?.stop()
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

async function recordIntoFile(
  path: string,
  listeners: number,
  env: NodeJS.ProcessEnv,
): Promise<FileRecording> {
  const file = openSync(path, 'w')
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
    { stdio: ['ignore', file, 'ignore'], env },
  )
  closeSync(file)
  const ended = once(recorder, 'close')
  const bytesPerMs = (listeners * 2 * 2 * recordedRate) / 1_000
  return {
    startedAtMs: await firstBytesAtMs(recorder, path, bytesPerMs),
    stop: async () => {
      recorder.kill('SIGINT')
      await ended
    },
  }
}

/** Waits for the first bytes of a recording and returns when the first was recorded. */
async function firstBytesAtMs(recorder: ChildProcess, path: string, bytesPerMs: number): Promise<number> {
  const giveUpAt = performance.now() + startTimeoutMs
  while (performance.now() < giveUpAt && recorder.exitCode === null) {
    const { size } = statSync(path)
    if (size > 0) return performance.now() - size / bytesPerMs
    await delay(5)
  }
  throw new Error('The sound server records nothing: parec is installed, but gets no samples')
}
