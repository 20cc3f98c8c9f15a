import { createDelayLine } from '../signal/delay-line.ts'
import { createFilter, createSmoother } from '../signal/filter.ts'
import { createStereo, sampleRate } from '../signal/stereo.ts'
import type { Stereo } from '../signal/stereo.ts'

export interface ReverbSettings {
  /** Time to fall by 60 dB. */
  seconds: number
  /** 1 is a hall, 0.4 a room. */
  size: number
  predelaySeconds: number
  /** Highs above and lows below these fade sooner or are left out. */
  dampHertz: number
  floorHertz: number
}

/** Lengths of the eight delays at size 1, in seconds, without common divisors in frames. */
const lineSeconds = [0.0497, 0.0571, 0.0631, 0.0699, 0.0773, 0.0837, 0.0919, 0.1013]
const diffuserSeconds = [0.0043, 0.0067, 0.0097, 0.0129]
const diffusion = 0.62
const modulationFrames = 7

/** An all-pass smears a click into a small cloud without colouring it. */
function createDiffuser(seconds: number): (sample: number) => number {
  const frames = Math.round(seconds * sampleRate)
  const line = createDelayLine(frames)
  return (sample) => {
    const delayed = line.read(frames)
    const input = sample + diffusion * delayed
    line.write(input)
    return delayed - diffusion * input
  }
}

/** A slow sine of a few frames, by rotation: it is asked for eight times a frame. */
function createSway(hertz: number): () => number {
  const angle = (2 * Math.PI * hertz) / sampleRate
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)]
  const state = { x: modulationFrames, y: 0 }
  return () => {
    const x = state.x * cosine - state.y * sine
    state.y = state.x * sine + state.y * cosine
    state.x = x
    return state.y
  }
}

function createLines(settings: ReverbSettings) {
  return lineSeconds.map((seconds, index) => {
    const frames = seconds * settings.size * sampleRate
    return {
      frames,
      line: createDelayLine(frames + modulationFrames + 2),
      damp: createSmoother(settings.dampHertz),
      keep: 10 ** ((-3 * frames) / (settings.seconds * sampleRate)),
      sway: createSway(0.31 + 0.083 * index),
      value: 0,
    }
  })
}

function createInput(settings: ReverbSettings, offset: number): (sample: number) => number {
  const predelay = settings.predelaySeconds * sampleRate
  const line = createDelayLine(predelay + 1)
  const floor = createFilter('high')
  const diffusers = diffuserSeconds.map((seconds) => createDiffuser((seconds + offset) * settings.size))
  return (sample) => {
    line.write(floor(sample, settings.floorHertz, 0.7))
    let result = line.read(predelay)
    for (const diffuse of diffusers) result = diffuse(result)
    return result
  }
}

/**
 * A feedback delay network: eight delays whose outputs are mixed by a Householder matrix and fed back
 * (Jean-Marc Jot, "Digital Delay Networks for Designing Artificial Reverberators", 1991). Only the reverberation,
 * without the signal itself.
 */
export function renderReverb(send: Stereo, settings: ReverbSettings): Stereo {
  const wet = createStereo(send.left.length)
  const lines = createLines(settings)
  const leftInput = createInput(settings, 0)
  const rightInput = createInput(settings, 0.0007)
  for (let frame = 0; frame < send.left.length; frame += 1) {
    const left = leftInput(send.left[frame] ?? 0)
    const right = rightInput(send.right[frame] ?? 0)
    let sum = 0
    for (const line of lines) {
      line.value = line.damp(line.line.read(line.frames + line.sway())) * line.keep
      sum += line.value
    }
    const shared = (2 / lines.length) * sum
    let leftOut = 0
    let rightOut = 0
    for (let index = 0; index < lines.length; index += 1) {
      const line = lines[index]
      if (!line) continue
      const isLeft = index % 2 === 0
      line.line.write(line.value - shared + (isLeft ? left : right))
      const sign = index % 4 < 2 ? 1 : -1
      if (isLeft) leftOut += sign * line.value
      else rightOut += sign * line.value
    }
    wet.left[frame] = 0.5 * leftOut
    wet.right[frame] = 0.5 * rightOut
  }
  return wet
}
