/** The sound of one packet, as it is decoded. */
export interface PacketSound {
  /** Where the file states it, in frames from the start of the track at `sampleRate`. Negative: before it. */
  statedFrame: number
  sampleRate: number
  /** One array a channel, in the order of the codec. */
  channels: Float32Array[]
}

/** The audio track of an open file, whoever reads the file. */
export interface SoundSource {
  codec: string | null
  /** As the file states it, Hz. */
  sampleRate: number
  /**
   * Decodes from the last packet that begins at or before a time on, s; from the first one where there is none. The sound
   * until `neededS` is wanted at once. Stop iterating to stop decoding.
   */
  soundFrom(startS: number, neededS: number): AsyncIterable<PacketSound>
  /** Returns the duration that the head states, s; null if it states none. */
  statedDurationS(): Promise<number | null>
  /** Returns the stated duration where it was counted, and so is exact; null otherwise. */
  countedDurationS(): Promise<number | null>
  /** Counts the duration by reading the whole file, s. */
  computeDurationS(): Promise<number>
  /** Closes the file. */
  dispose(): void
}
