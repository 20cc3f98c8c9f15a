import { renderEcho } from '../effects/echo.ts'
import { renderReverb } from '../effects/reverb.ts'
import { playNotes } from '../instruments/note.ts'
import { loosenNotes } from '../notation/arrangement.ts'
import { createRandom } from '../signal/random.ts'
import { applyGain, createStereo, fromDecibels, mixInto, toFrames } from '../signal/stereo.ts'
import { measureLoudness } from './loudness.ts'
import type { EchoSettings } from '../effects/echo.ts'
import type { Effect } from '../effects/modulation.ts'
import type { ReverbSettings } from '../effects/reverb.ts'
import type { Instrument, Note } from '../instruments/note.ts'
import type { Curve } from '../signal/curve.ts'
import type { Random } from '../signal/random.ts'
import type { Stereo } from '../signal/stereo.ts'

interface Strip {
  /** Also the seed of the strip's chance: no other strip changes what it plays. */
  name: string
  /** LUFS of the strip alone while it plays: how the parts are balanced. */
  loudness: number
  effects?: readonly Effect[]
  /** Gain over time, after the loudness has been set. */
  level?: Curve
  /** Where notes that say nothing else are placed: -1 is left, 1 is right. */
  pan?: number
  /** How many seconds off the beat a note may be, for parts that a hand would play. */
  looseness?: number
  /** How much goes to the shared reverb and echo, 0..1. */
  reverb?: number
  echo?: number
}

export interface Desk {
  readonly seconds: number
  /** Renders one part and adds it to the mix. */
  add(strip: Strip, perform: (out: Stereo, random: Random) => void): void
  /** As `add`, for an instrument and its notes. */
  play(strip: Strip, instrument: Instrument, notes: readonly Note[]): void
  /** Everything that was added, with the reverb and the echo. */
  mixDown(): Stereo
}

export interface Room {
  reverb: ReverbSettings
  echo: EchoSettings
}

/** Repeats are heard in the same room as everything else. */
const echoIntoReverb = 0.25

function prepareNotes(strip: Strip, notes: readonly Note[], random: Random): Note[] {
  const placed = notes.map((note) => ({ pan: strip.pan ?? 0, ...note }))
  return strip.looseness ? loosenNotes(placed, random, strip.looseness) : placed
}

export function createDesk(title: string, seconds: number, room: Room): Desk {
  const frames = toFrames(seconds)
  const dry = createStereo(frames)
  const reverbSend = createStereo(frames)
  const echoSend = createStereo(frames)
  const desk: Desk = {
    seconds,
    play(strip, instrument, notes) {
      desk.add(strip, (out, random) => playNotes(out, instrument, prepareNotes(strip, notes, random), random))
    },
    add(strip, perform) {
      const part = createStereo(frames)
      perform(part, createRandom(`${title}/${strip.name}`))
      for (const effect of strip.effects ?? []) effect(part)
      const loudness = measureLoudness(part)
      if (loudness === -Infinity) throw new Error(`"${strip.name}" of "${title}" is silent`)
      applyGain(part, fromDecibels(strip.loudness - loudness))
      if (strip.level) applyGain(part, strip.level)
      mixInto(dry, part, 1)
      if (strip.reverb) mixInto(reverbSend, part, strip.reverb)
      if (strip.echo) mixInto(echoSend, part, strip.echo)
    },
    mixDown() {
      const echo = renderEcho(echoSend, room.echo)
      mixInto(reverbSend, echo, echoIntoReverb)
      mixInto(dry, echo, 1)
      mixInto(dry, renderReverb(reverbSend, room.reverb), 1)
      return dry
    },
  }
  return desk
}
