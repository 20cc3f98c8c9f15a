/**
 * The devices of listeners whose sound devices have clocks of their own: a program that takes samples out of the pipes of
 * PulseAudio's pipe sinks, each at its own rate. PulseAudio's null sink cannot do that: all its rates are exact by the
 * system's clock. The pipe's level is the latency that browsers are told, as with a real device.
 *
 * Arguments: the pipe and the deviation in ppm of each device. Messages on standard input, one per line: `record FOLDER`
 * and `stop`, each answered on standard output, `record` with its time by the system's monotonic clock in ms.
 */
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { bytesPerFrame, deviceRate } from './own-clocks.ts'

interface Device {
  pipe: number
  framesPerMs: number
  consumed: number
  /** The file of the running recording. */
  file: number | null
}

/** Far below the 10 ms in which browsers write. */
const turnMs = 2
/** A device that was not served for longer plays silence for the rest, and goes on. */
const maxTurnFrames = deviceRate

const startedAtMs = performance.now()
const pairs = process.argv.slice(2)
const devices: Device[] = Array.from({ length: pairs.length / 2 }, (_, index) => ({
  pipe: openSync(pairs[index * 2] ?? '', constants.O_RDONLY | constants.O_NONBLOCK),
  framesPerMs: (deviceRate / 1_000) * (1 + Number(pairs[index * 2 + 1]) * 1e-6),
  consumed: 0,
  file: null,
}))
const block = Buffer.alloc(maxTurnFrames * bytesPerFrame)

/** Plays what is due on a device: takes it from the pipe, and silence where the pipe is empty. */
function turn(device: Device): void {
  const due = Math.floor((performance.now() - startedAtMs) * device.framesPerMs) - device.consumed
  const frames = Math.min(due, maxTurnFrames)
  const bytes = readAvailable(device.pipe, frames * bytesPerFrame)
  block.fill(0, bytes, frames * bytesPerFrame)
  device.consumed += frames
  if (device.file === null) return
  const left = new Float32Array(frames)
  for (let frame = 0; frame < frames; frame += 1) left[frame] = block.readFloatLE(frame * bytesPerFrame)
  writeSync(device.file, left)
}

/** Reads without waiting, at most `length` bytes. Returns how many there were. */
function readAvailable(pipe: number, length: number): number {
  let read = 0
  while (read < length) {
    try {
      const got = readSync(pipe, block, read, length - read, null)
      if (got === 0) return read
      read += got
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return read
      throw error
    }
  }
  return read
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const [command, folder = ''] = line.split(' ')
  for (const [index, device] of devices.entries()) {
    turn(device)
    if (device.file !== null) closeSync(device.file)
    device.file = command === 'record' ? openSync(join(folder, String(index)), 'w') : null
  }
  console.log(performance.timeOrigin + performance.now())
})
process.stdin.on('end', () => process.exit())
setInterval(() => devices.forEach(turn), turnMs)
