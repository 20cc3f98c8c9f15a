import type { Track } from '@earshot/core/protocol/entities'
import { mean } from '@earshot/core/statistics'
import { evenLoudness } from '../even-loudness.ts'

/** The time constant of a change, s: short, and without a click. */
const rampS = 0.015
/** At a change of track the one before may still sound; a skip at that moment adds a third. */
const tracksAtOnce = 3
/** More would play the hiss of an almost silent track as loud as music. */
const maxBoostDb = 12

/** A track by what its file states about its loudness. */
export type StatedTrack = Pick<Track, 'id' | 'album' | 'gain_db' | 'peak' | 'album_gain_db' | 'album_peak'>

/** Returns the gain, dB, that brings a sound to the common loudness without clipping. */
const playableGain = (statedDb: number, peak = 1): number =>
  Math.min(statedDb, maxBoostDb, 20 * Math.log10(1 / peak))

/** Gives the sound of each track a volume of its own, by its loudness and the setting of this device. */
export class TrackGains {
  readonly #context: BaseAudioContext
  readonly #output: AudioNode
  readonly #stop: () => void
  /** The latest one is last. */
  #tracks: { track: StatedTrack; node: GainNode; gainDb: number }[] = []
  /** Of all tracks so far that state their loudness, by id, dB. */
  readonly #knownGains = new Map<string, number>()

  constructor(context: BaseAudioContext, output: AudioNode) {
    this.#context = context
    this.#output = output
    this.#stop = evenLoudness.subscribe(() => this.#ramp())
  }

  /** Where the sound of the latest track goes. */
  get input(): AudioNode {
    return this.#tracks.at(-1)?.node ?? this.#output
  }

  /**
   * `input` is that of this track from now on, and `next` follows it, as far as is known. What still sounds of the one
   * before keeps its volume.
   */
  setTrack(track: StatedTrack, next: StatedTrack | null = null): void {
    const others = this.#tracks.filter((other) => other.track.id !== track.id)
    const known = this.#tracks.find((other) => other.track.id === track.id)
    const gainDb = this.#gainOf(track, [others.at(-1)?.track, next])
    const node = known?.node ?? this.#createNode(gainDb)
    if (others.length === tracksAtOnce) others.shift()?.node.disconnect()
    this.#tracks = [...others, { track, node, gainDb }]
    // All follow: the file of a known one may have been tagged anew.
    evenLoudness.setState({ latest: { trackId: track.id, gainDb } })
  }

  /** Follows the setting no more. */
  close(): void {
    this.#stop()
  }

  /** Tracks of an album that follow each other keep the levels that they have there. */
  #gainOf(track: StatedTrack, neighbours: (StatedTrack | null | undefined)[]): number {
    const { id, album, album_gain_db: albumGainDb, album_peak: albumPeak } = track
    const isInAlbum = album !== '' && neighbours.some((other) => other?.album === album && other.id !== id)
    const keepsLevel = isInAlbum && albumGainDb !== undefined
    const [statedDb, peak] = keepsLevel ? [albumGainDb, albumPeak] : [track.gain_db, track.peak]
    if (statedDb === undefined) return this.#usualGain()
    const gainDb = playableGain(statedDb, peak)
    this.#knownGains.set(id, gainDb)
    return gainDb
  }

  /** Returns the mean of the known gains: a track whose loudness is unknown is probably as loud as those of its library. */
  #usualGain(): number {
    return playableGain(mean([...this.#knownGains.values()]))
  }

  #createNode(gainDb: number): GainNode {
    const node = this.#context.createGain()
    node.gain.value = toFactor(gainDb)
    node.connect(this.#output)
    return node
  }

  #ramp(): void {
    for (const { gainDb, node } of this.#tracks)
      node.gain.setTargetAtTime(toFactor(gainDb), this.#context.currentTime, rampS)
  }
}

const toFactor = (gainDb: number): number => (evenLoudness.getState().isOn ? 10 ** (gainDb / 20) : 1)
