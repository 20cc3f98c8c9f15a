import { makeTrack } from '@earshot/core/testing/tracks'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DeviceContext, DeviceGain } from '../../testing/device-context.ts'
import { evenLoudness, switchEvenLoudness } from '../even-loudness.ts'
import { trackGain, TrackGains } from './track-gains.ts'

const toDb = (factor: number): number => Math.round(20_000 * Math.log10(factor)) / 1_000

beforeEach(() => localStorage.clear())
afterEach(() => evenLoudness.setState({ isOn: true }))

it.each([
  ['a loud track is quieter by what its tags state', { gain_db: -10, peak: 1 }, -10],
  ['a quiet one is louder', { gain_db: 6, peak: 0.25 }, 6],
  ['but not so much that it clips', { gain_db: 6, peak: 0.707_946 }, 3],
  ['nor where its largest sample is unknown', { gain_db: 6 }, 0],
  ['one that clips already is quieter', { gain_db: 0, peak: 1.122_018 }, -1],
  ['one without a gain stays as it is', { peak: 1.5 }, 0],
])('17.486 %s', (_what, stated, heardDb) => {
  expect(toDb(trackGain(stated))).toBe(heardDb)
})

/** The gains of an output, with the volumes of what is connected to `input`. */
function openGains() {
  const context = new DeviceContext() as unknown as AudioContext
  const output = new DeviceGain() as unknown as GainNode
  const gains = new TrackGains(context, output)
  const setTrack = (id: string, gainDb?: number): DeviceGain => {
    gains.setTrack({ ...makeTrack(id), ...(gainDb === undefined ? {} : { gain_db: gainDb }) })
    return gains.input as unknown as DeviceGain
  }
  return { gains, output, setTrack }
}

it('17.486 a track has the volume of its own where the one before still sounds', () => {
  const { output, setTrack } = openGains()
  const first = setTrack('a', -10)
  const second = setTrack('b', -4)
  expect([first, second].map(({ gain }) => toDb(gain.value))).toEqual([-10, -4])
  expect([first, second].map(({ connectedTo }) => connectedTo)).toEqual([output, output])
  // Loaded again, as after a seek, it goes on in the same node.
  expect(setTrack('b', -4)).toBe(second)
  expect(first.connectedTo).toBe(output)
  expect(toDb(setTrack('c').gain.value)).toBe(0)
  expect([first, second].map(({ connectedTo }) => connectedTo)).toEqual([null, output])
})

it('17.487 the setting is heard at once, by what sounds and by what follows, and is remembered', () => {
  const { gains, setTrack } = openGains()
  const heard = [setTrack('a', -10), setTrack('b', -4)]
  const heardDb = () => heard.map(({ gain }) => toDb(gain.value))
  switchEvenLoudness(false)
  expect(heardDb()).toEqual([0, 0])
  expect(localStorage.getItem('evenLoudness:v1')).toBe('off')
  heard.push(setTrack('c', -6))
  expect(heardDb().at(-1)).toBe(0)
  switchEvenLoudness(true)
  expect(heardDb().slice(1)).toEqual([-4, -6])
  gains.close()
  switchEvenLoudness(false)
  expect(heardDb().slice(1)).toEqual([-4, -6])
})
