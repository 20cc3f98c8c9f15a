import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { interpolate } from '../skew/interpolate.ts'
import type { FileRecording } from './recording.ts'

/** Frames per second by a device's own clock. */
export const deviceRate = 48_000

/**
 * Frames have eight 32-bit channels, of which two are used: a pipe holds 64 KiB, which is then 43 ms, the latency of
 * an ordinary device.
 */
const channels = 8
export const bytesPerFrame = channels * 4

/** Devices whose clocks deviate from the system's. */
export interface OwnClocks {
  recordTo(path: string): Promise<FileRecording>
  stop(): Promise<void>
}

/** Arguments for a PulseAudio server with one pipe sink per device. */
export const pipeSinkArguments = (folder: string, devices: number): string[] =>
  Array.from({ length: devices }, (_, device) => [
    '-L',
    `module-pipe-sink sink_name=listener${device} file=${pipePath(folder, device)} format=float32le rate=${deviceRate} ` +
      `channels=${channels} channel_map=front-left,front-right,aux0,aux1,aux2,aux3,aux4,aux5`,
  ]).flat()

const pipePath = (folder: string, device: number): string => join(folder, `pipe${device}`)

/** Starts the devices of a running server, whose clocks are `ppm` faster than the system's. */
export async function startOwnClocks(folder: string, ppm: number[]): Promise<OwnClocks> {
  const program = join(import.meta.dirname, 'device-clocks.ts')
  const args = ppm.flatMap((deviation, device) => [pipePath(folder, device), String(deviation)])
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const answers = createInterface({ input: child.stdout })
  const ask = async (line: string): Promise<number> => {
    const answer = once(answers, 'line') as Promise<[string]>
    child.stdin.write(`${line}\n`)
    return Number((await answer)[0])
  }
  return {
    recordTo: async (path) => {
      const parts = mkdtempSync(join(tmpdir(), 'earshot-devices-'))
      const atMs = await ask(`record ${parts}`)
      let stopped: Promise<void> | null = null
      const stop = async () => {
        await ask('stop')
        const sounds = ppm.map((deviation, device) =>
          toSystemClock(readSamples(join(parts, String(device))), deviation),
        )
        writeInterleaved(path, sounds)
        rmSync(parts, { recursive: true })
      }
      return { startedAtMs: atMs - performance.timeOrigin, stop: () => (stopped ??= stop()) }
    },
    stop: async () => {
      const ended = once(child, 'exit')
      child.stdin.end()
      await ended
    },
  }
}

function readSamples(path: string): Float32Array {
  const bytes = readFileSync(path)
  return new Float32Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.byteLength / 4))
}

/** Resamples what a device played to the system's clock: it played sample `n` at `n / (rate * (1 + ppm / 1e6))`. */
export function toSystemClock(samples: Float32Array, ppm: number): Float32Array {
  const ratio = 1 + ppm * 1e-6
  return Float32Array.from({ length: Math.floor(samples.length / ratio) }, (_, frame) =>
    interpolate(samples, frame * ratio),
  )
}

const writtenFrames = 48_000

/** Writes signed 16-bit samples, two channels per person, the left one used. */
function writeInterleaved(path: string, sounds: Float32Array[]): void {
  const file = openSync(path, 'w')
  const length = Math.min(...sounds.map((sound) => sound.length))
  for (let from = 0; from < length; from += writtenFrames) {
    const frames = Math.min(writtenFrames, length - from)
    const block = new Int16Array(frames * sounds.length * 2)
    for (const [person, sound] of sounds.entries()) {
      for (let frame = 0; frame < frames; frame += 1) {
        const sample = Math.round((sound[from + frame] ?? 0) * 32_768)
        block[(frame * sounds.length + person) * 2] = Math.max(-32_768, Math.min(32_767, sample))
      }
    }
    writeSync(file, block)
  }
  closeSync(file)
}
