import { makeTrack } from '@earshot/core/testing/tracks'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { DeviceContext, DeviceGain } from '../../testing/device-context.ts'
import { evenLoudness, switchEvenLoudness } from '../even-loudness.ts'
import { type StatedTrack, TrackGains } from './track-gains.ts'

beforeEach(() => localStorage.clear())
afterEach(() => evenLoudness.setState({ isOn: true }))

type Stated = Partial<StatedTrack>

/** The gains of an output, with the volumes of what is connected to `input`. */
function openGains() {
  const context = new DeviceContext() as unknown as AudioContext
  const output = new DeviceGain() as unknown as GainNode
  const gains = new TrackGains(context, output)
  const setTrack = (id: string, stated: Stated = {}, next?: Stated): DeviceGain => {
    const track = { ...makeTrack(id), album: '', ...stated }
    gains.setTrack(track, next && { ...makeTrack('next'), ...next })
    return gains.input as unknown as DeviceGain
  }
  return { gains, output, setTrack }
}

const heardDb = ({ gain }: DeviceGain): number => Math.round(20_000 * Math.log10(gain.value)) / 1_000

it.each([
  ['a loud track is quieter by what its tags state', { gain_db: -10, peak: 1 }, -10],
  ['a quiet one is louder', { gain_db: 6, peak: 0.25 }, 6],
  ['but not so much that it clips', { gain_db: 6, peak: 0.707_946 }, 3],
  ['nor where its largest sample is unknown', { gain_db: 6 }, 0],
  ['nor by more than 12 dB, which only near silence would need', { gain_db: 39.9, peak: 0.009 }, 12],
  ['one that clips already is quieter', { gain_db: 0, peak: 1.122_018 }, -1],
  ['one without a gain stays as it is', { peak: 1.5 }, 0],
])('17.486 %s', (_what, stated, db) => {
  expect(heardDb(openGains().setTrack('a', stated))).toBe(db)
})

it('17.486 a track has the volume of its own where those before still sound, or fade', () => {
  const { output, setTrack } = openGains()
  const first = setTrack('a', { gain_db: -10 })
  const second = setTrack('b', { gain_db: -4 })
  expect([first, second].map(heardDb)).toEqual([-10, -4])
  // Loaded again, as after a seek, it goes on in the same node.
  expect(setTrack('b', { gain_db: -4 })).toBe(second)
  const connected = () => [first, second].map(({ connectedTo }) => connectedTo)
  expect(connected()).toEqual([output, output])
  expect(heardDb(setTrack('c', { gain_db: -2 }))).toBe(-2)
  expect(connected()).toEqual([output, output])
  setTrack('d')
  expect(connected()).toEqual([null, output])
})

it('17.442 tracks of an album that follow each other have its gain, one that is alone its own', () => {
  const quiet = { album: 'Live', gain_db: 10, peak: 0.3, album_gain_db: 1, album_peak: 0.9 }
  const loud = { ...quiet, gain_db: -2, peak: 0.9 }
  const { setTrack } = openGains()
  expect(heardDb(setTrack('a', quiet, { album: 'Other' }))).toBe(10)
  const [first, second] = [setTrack('b', { album: 'Other' }), setTrack('c', quiet, loud)]
  expect(heardDb(second)).toBe(0.915)
  expect(heardDb(setTrack('d', loud))).toBe(0.915)
  expect(heardDb(second)).toBe(0.915)
  expect(heardDb(first)).toBe(heardDb(setTrack('e', { album: 'Other' })))
  expect(heardDb(setTrack('f', loud))).toBe(-2)
})

it.each([
  ['tracks without an album', { album: '', gain_db: -2, album_gain_db: -6 }],
  ['an album whose gain is unknown', { album: 'Live', gain_db: -2 }],
])('17.442 %s have their own gains', (_what, stated) => {
  expect(heardDb(openGains().setTrack('a', stated, stated))).toBe(-2)
})

it('17.443 a track without a gain plays by the mean of those heard before, and never louder than it is', () => {
  const { setTrack } = openGains()
  expect(heardDb(setTrack('plain'))).toBe(0)
  setTrack('a', { gain_db: -10 })
  // Counted once, also where it is sought in.
  for (let seek = 0; seek < 3; seek++) setTrack('b', { gain_db: -4 })
  expect(heardDb(setTrack('plain'))).toBe(-7)
  const quiet = openGains()
  quiet.setTrack('c', { gain_db: 8, peak: 0.1 })
  expect(heardDb(quiet.setTrack('plain'))).toBe(0)
  const inAlbum = openGains()
  const stated = { album: 'Live', gain_db: 2, album_gain_db: -6 }
  inAlbum.setTrack('d', stated, stated)
  expect(heardDb(inAlbum.setTrack('plain'))).toBe(-6)
})

it('17.487 the setting is heard at once, by what sounds and by what follows, and is remembered', () => {
  const { gains, setTrack } = openGains()
  const heard = [setTrack('a', { gain_db: -10 }), setTrack('b', { gain_db: -4 })]
  const allDb = () => heard.map(heardDb)
  switchEvenLoudness(false)
  expect(allDb()).toEqual([0, 0])
  expect(localStorage.getItem('evenLoudness:v1')).toBe('off')
  heard.push(setTrack('c', { gain_db: -6 }))
  expect(allDb().at(-1)).toBe(0)
  switchEvenLoudness(true)
  expect(allDb()).toEqual([-10, -4, -6])
  gains.close()
  switchEvenLoudness(false)
  expect(allDb()).toEqual([-10, -4, -6])
})

it('17.487 the setting follows what another tab switches', () => {
  const heard = openGains().setTrack('a', { gain_db: -10 })
  const tell = (key: string, newValue: string) =>
    window.dispatchEvent(new StorageEvent('storage', { key, newValue }))
  tell('volume:v1', 'off')
  expect(heardDb(heard)).toBe(-10)
  tell('evenLoudness:v1', 'off')
  expect([heardDb(heard), evenLoudness.getState().isOn]).toEqual([0, false])
  tell('evenLoudness:v1', 'on')
  expect([heardDb(heard), evenLoudness.getState().isOn]).toEqual([-10, true])
})
