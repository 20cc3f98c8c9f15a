import { dayMs } from '@earshot/core/clock'
import type { Source } from '@earshot/core/protocol/entities'
import { readStored, type StorageKey, writeStored } from '../../storage.ts'

/** Settings remembered on this device, across visits. */

/** Applied where the sound is made. */
export { evenLoudness, switchEvenLoudness } from '../../players/library/even-loudness.ts'

const volumeKey = 'volume:v1'
const mutedKey = 'muted:v1'
const nudgeKey = (source: Source): StorageKey => `nudge:v1:${source}`
const shortcutsKey = 'shortcuts:v1'
const noPremiumKey = 'spotifyNoPremium:v1'
const defaultVolume = 0.8

export function readVolume(): number {
  const volume = readNumber(volumeKey)
  return volume !== null && volume >= 0 && volume <= 1 ? volume : defaultVolume
}

export const writeVolume = (volume: number): void => write(volumeKey, String(volume))

export const readMuted = (): boolean => read(mutedKey) === 'true'

export const writeMuted = (isMuted: boolean): void => write(mutedKey, String(isMuted))

/** Reads the delay of this device's sound for each source, in ms, as the listener set it. */
export const readNudgesMs = (): Record<Source, number> => ({
  library: readNumber(nudgeKey('library')) ?? 0,
  youtube: readNumber(nudgeKey('youtube')) ?? 0,
  spotify: readNumber(nudgeKey('spotify')) ?? 0,
})

export const writeNudgeMs = (source: Source, nudgeMs: number): void =>
  write(nudgeKey(source), String(nudgeMs))

/** Whether single keys control the room; on unless they were switched off. */
export const readShortcutsOn = (): boolean => read(shortcutsKey) !== 'off'

export const writeShortcutsOn = (areOn: boolean): void => write(shortcutsKey, areOn ? 'on' : 'off')

/** How long an account without Premium is not tried again. */
const noPremiumForMs = dayMs

/** Remembers for a day that a Spotify account has no Premium. */
export const rememberNoPremium = (account: string, nowMs: number): void =>
  write(noPremiumKey, `${nowMs} ${account}`)

/** Lets the account be tried again. */
export const forgetNoPremium = (): void => write(noPremiumKey, '')

export function hasNoPremium(account: string, nowMs: number): boolean {
  const [since = '', ...rest] = (read(noPremiumKey) ?? '').split(' ')
  const ageMs = nowMs - Number(since)
  return rest.join(' ') === account && ageMs >= 0 && ageMs < noPremiumForMs
}

function readNumber(key: StorageKey): number | null {
  const text = read(key) ?? ''
  const value = text === '' ? NaN : Number(text)
  return Number.isFinite(value) ? value : null
}

const read = (key: StorageKey): string | null => readStored('device', key)

const write = (key: StorageKey, value: string): void => void writeStored('device', key, value)
