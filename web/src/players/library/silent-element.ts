import type { PlayerStatus } from '@earshot/core/sync/follow/player-state'

/** Chromium takes media of up to 5 s for a sound effect. */
const seconds = 6
/** The lowest rate that it plays. */
const sampleRate = 3_000
const frames = seconds * sampleRate

/**
 * The header of a WAV file of one channel of 8 bits: its chunks, 'RIFF', 'WAVE', 'fmt ' and 'data', as little-endian
 * words.
 */
const format = [0x20746d66, 16, 0x10001, sampleRate, sampleRate, 0x80001]
const header = Uint32Array.from([0x46464952, 36 + frames, 0x45564157, ...format, 0x61746164, frames])
const file = new Blob([header, new Uint8Array(frames).fill(128)], { type: 'audio/wav' })

const element = new Audio(URL.createObjectURL(file))
element.loop = true

/** Plays silence while a player of this status sounds. Where the browser blocks it, it blocks the music as well. */
export function playSilence(status: PlayerStatus): void {
  if (status === 'playing') element.play().catch(() => undefined)
  // From one track to the next the controls stay.
  else if (status !== 'loading' && status !== 'ready') element.pause()
}
