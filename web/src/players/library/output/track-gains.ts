import type { Track } from '@earshot/core/protocol/entities'
import { evenLoudness } from '../even-loudness.ts'

/** The time constant of a change, s: short, and without a click. */
const rampS = 0.015
/** At a change of track the one before may still sound. */
const tracksAtOnce = 2

/** A track by what its file states about its loudness. */
type StatedTrack = Pick<Track, 'id' | 'gain_db' | 'peak'>

/** Returns the factor that brings a track to the common loudness without clipping; 1 where its loudness is unknown. */
export function trackGain({ gain_db: gainDb, peak = 1 }: Omit<StatedTrack, 'id'>): number {
  return gainDb === undefined ? 1 : Math.min(10 ** (gainDb / 20), 1 / peak)
}

/** Gives the sound of each track a volume of its own, by its loudness and the setting of this device. */
export class TrackGains {
  readonly #context: BaseAudioContext
  readonly #output: AudioNode
  readonly #stop: () => void
  /** The latest one is last. */
  #tracks: { track: StatedTrack; node: GainNode }[] = []

  constructor(context: BaseAudioContext, output: AudioNode) {
    this.#context = context
    this.#output = output
    this.#stop = evenLoudness.subscribe(() => this.#ramp())
  }

  /** Where the sound of the latest track goes. */
  get input(): AudioNode {
    return this.#tracks.at(-1)?.node ?? this.#output
  }

  /** `input` is that of this track from now on. What still sounds of the one before keeps its volume. */
  setTrack(track: StatedTrack): void {
    const known = this.#tracks.find((other) => other.track.id === track.id)
    const node = known?.node ?? this.#createNode(track)
    const others = this.#tracks.filter((other) => other !== known)
    if (others.length === tracksAtOnce) others.shift()?.node.disconnect()
    this.#tracks = [...others, { track, node }]
    // Its file may have been tagged anew.
    if (known) this.#ramp()
  }

  /** Follows the setting no more. */
  close(): void {
    this.#stop()
  }

  #createNode(track: StatedTrack): GainNode {
    const node = this.#context.createGain()
    node.gain.value = wantedGain(track)
    node.connect(this.#output)
    return node
  }

  #ramp(): void {
    for (const { track, node } of this.#tracks)
      node.gain.setTargetAtTime(wantedGain(track), this.#context.currentTime, rampS)
  }
}

const wantedGain = (track: StatedTrack): number => (evenLoudness.getState().isOn ? trackGain(track) : 1)
