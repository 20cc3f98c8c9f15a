/// <reference types="spotify-web-playback-sdk" />
import type { Track } from '@earshot/core/protocol/entities'
import { expect, it } from 'vitest'
import { interpretState, positionOf, spotifyUriOf } from './spotify-state.ts'

const track: Track = {
  id: 'spotify:abc',
  title: 'Song',
  artist: 'Somebody',
  album: '',
  duration: 200_000,
  source: 'spotify',
  albumArt: null,
  album_art: null,
}
const uri = 'spotify:track:abc'

/** Only what is read of a state. */
const stateOf = (state: object, played: object | null = { uri }): Spotify.PlaybackState =>
  ({
    paused: false,
    loading: false,
    position: 1_000,
    track_window: { current_track: played },
    ...state,
  }) as Spotify.PlaybackState

const meaning = (state: Spotify.PlaybackState, { lastMs = 1_000, playedUri = null as string | null } = {}) =>
  interpretState(state, { track, playedUri, lastMs })

it('15.24 tells running, buffering and stopped apart; a field that is missing does no harm', () => {
  expect(meaning(stateOf({}))).toBe('running')
  expect(meaning(stateOf({ loading: undefined }))).toBe('running')
  expect(meaning(stateOf({ loading: true }))).toBe('buffering')
  expect(meaning(stateOf({ paused: true }))).toBe('stopped')
})

it('15.24 finds the end: stopped at 0:00, or another track, after the last seconds', () => {
  expect(meaning(stateOf({ paused: true, position: 0 }), { lastMs: 198_000 })).toBe('ended')
  expect(meaning(stateOf({}, { uri: 'spotify:track:next' }), { lastMs: 198_000 })).toBe('ended')
  expect(meaning(stateOf({ paused: true, position: 0 }), { lastMs: 100_000 })).toBe('stopped')
})

it('15.26 something else that plays is not the track', () => {
  expect(meaning(stateOf({}, { uri: 'spotify:track:other' }))).toBe('other_track')
  expect(meaning(stateOf({}, { uri: 'spotify:track:other', linked_from: { uri: null, id: null } }))).toBe(
    'other_track',
  )
})

it('15.24 another recording that Spotify plays for the track is the track', () => {
  expect(meaning(stateOf({}, { uri: 'spotify:track:uk', linked_from: { uri, id: 'abc' } }))).toBe('running')
  expect(meaning(stateOf({}, { uri: 'spotify:track:uk' }), { playedUri: 'spotify:track:uk' })).toBe('running')
})

it('15.46 a state that names no track is that of the track', () => {
  expect(meaning(stateOf({}, null))).toBe('running')
  expect(meaning(stateOf({ paused: true, track_window: undefined }))).toBe('stopped')
})

it('15.46 another address without an origin is the track if title and duration agree, until its address is known', () => {
  const started = stateOf({ duration: 200_900 }, { uri: 'spotify:track:uk', name: 'Song' })
  expect(meaning(started)).toBe('running')
  expect(meaning(started, { playedUri: uri })).toBe('other_track')
  expect(meaning(stateOf({ duration: 260_000 }, { uri: 'spotify:track:uk', name: 'Song' }))).toBe(
    'other_track',
  )
  expect(meaning(stateOf({ duration: 200_000 }, { uri: 'spotify:track:uk', name: 'Other' }))).toBe(
    'other_track',
  )
})

it('15.46 a position that is no number is the last one', () => {
  expect(positionOf(stateOf({ position: 5_000 }), 7)).toBe(5_000)
  for (const position of [undefined, null, NaN, 'soon']) expect(positionOf(stateOf({ position }), 7)).toBe(7)
})

it('makes the address at Spotify of the id where there is none', () => {
  expect(spotifyUriOf(track)).toBe(uri)
  expect(spotifyUriOf({ ...track, uri: 'spotify:track:given' })).toBe('spotify:track:given')
})
