import type { Connection } from './connections.ts'
import type { Recording } from './load-tasks.ts'
import { monotonicMs } from './monotonic.ts'

const keptSamples = 100
const playbackChange = /^\["playback_updated",.*?"sequence_number":(\d+)/

/** Records the events that a group of connections receives. */
export interface Recorder {
  /** Records an event. Called for each as it arrives. */
  noteEvent(connection: number, frame: string): void
  start(connections: Connection[]): void
  stop(connections: Connection[]): Recording
}

/** Records each arrival of a playback change and counts all other events. */
export function createRecorder(): Recorder {
  let sequenceNumbers: number[] = []
  let arrivedAtMs: number[] = []
  let samples: string[] = []
  let before = { frames: 0, bytes: 0 }
  let isOn = false
  return {
    noteEvent(connection, frame) {
      if (!isOn) return
      const sequenceNumber = playbackChange.exec(frame)?.[1]
      if (sequenceNumber !== undefined) {
        sequenceNumbers.push(Number(sequenceNumber))
        arrivedAtMs.push(monotonicMs())
      }
      if (connection === 0 && samples.length < keptSamples) samples.push(frame)
    },
    start(connections) {
      sequenceNumbers = []
      arrivedAtMs = []
      samples = []
      before = countTraffic(connections)
      isOn = true
    },
    stop(connections) {
      isOn = false
      const after = countTraffic(connections)
      return {
        sequenceNumbers: Float64Array.from(sequenceNumbers),
        arrivedAtMs: Float64Array.from(arrivedAtMs),
        frames: after.frames - before.frames,
        bytes: after.bytes - before.bytes,
        samples,
      }
    },
  }
}

function countTraffic(connections: Connection[]): { frames: number; bytes: number } {
  const sum = { frames: 0, bytes: 0 }
  for (const { received } of connections) {
    sum.frames += received.frames
    sum.bytes += received.bytes
  }
  return sum
}
