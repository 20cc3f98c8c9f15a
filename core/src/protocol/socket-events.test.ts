import { describe, expect, it } from 'vitest'
import { makeTrack } from '../testing/tracks.ts'
import { clientEventAliases, clientEvents, serverEvents } from './socket-events.ts'

const accepts = (name: keyof typeof clientEvents, payload: unknown): boolean =>
  clientEvents[name].payload.safeParse(payload).success

describe('events of a client written from the specification', () => {
  it('7.15 join_room with a user, which is dropped', () => {
    const payload = { roomId: 'r', user: { id: 'somebody-else', username: 'x' } }
    expect(accepts('join_room', payload)).toBe(true)
    expect(accepts('join_room', { roomId: 'r', password: 'secret' })).toBe(true)
    expect(accepts('join_room', {})).toBe(false)
  })

  it('7.16a playback_update with any part of a state', () => {
    const full = { is_playing: true, current_position: 12_345.6, timestamp: 1, track_id: 'a', sender_id: 7 }
    expect(accepts('playback_update', { roomId: 'r', state: full })).toBe(true)
    expect(accepts('playback_update', { roomId: 'r', state: {} })).toBe(true)
    expect(accepts('playback_update', { roomId: 'r', state: { current_position: -1 } })).toBe(false)
    expect(accepts('playback_update', { roomId: 'r' })).toBe(false)
  })

  it('7.17 queue_updated with whole tracks, of which only the ids are kept', () => {
    const queue = [{ ...makeTrack('a'), entry_id: 'e1', position: 0 }, makeTrack('b')]
    expect(clientEvents.queue_updated.payload.parse({ roomId: 'r', queue })).toEqual({
      roomId: 'r',
      queue: [{ id: 'a', entry_id: 'e1' }, { id: 'b' }],
    })
    const tooMany = Array.from({ length: 1_001 }, (_, index) => ({ id: `t${index}` }))
    expect(accepts('queue_updated', { roomId: 'r', queue: tooMany })).toBe(false)
  })

  it('7.18 track_changed with all its fields', () => {
    const payload = { roomId: 'r', trackId: 'a', currentTrack: makeTrack('a'), position: 0, isPlaying: true }
    const rest = { timestamps: [1, 2], version: 3, forceSync: true }
    expect(accepts('track_changed', { ...payload, ...rest })).toBe(true)
    expect(accepts('track_changed', { ...payload, trackId: '' })).toBe(false)
  })

  it('7.19 send_message with a text or an object with content, but not blank', () => {
    expect(accepts('send_message', { roomId: 'r', message: 'hello' })).toBe(true)
    expect(accepts('send_message', { roomId: 'r', message: { content: 'hello' } })).toBe(true)
    expect(accepts('send_message', { roomId: 'r', message: '   ' })).toBe(false)
    expect(accepts('send_message', { roomId: 'r', message: { content: '' } })).toBe(false)
  })

  it('7.20a direct_command with one of the five commands', () => {
    const rest = { timestamps: {}, priority: 'high', forceSync: true, isFollowUp: true }
    expect(accepts('direct_command', { roomId: 'r', command: 'play', ...rest })).toBe(true)
    expect(accepts('direct_command', { roomId: 'r', command: 'stop' })).toBe(false)
  })

  it('7.21 request_sync, and its two aliases', () => {
    expect(accepts('request_sync', { roomId: 'r', timestamp: 1, initialJoin: true, clientId: 'c' })).toBe(
      true,
    )
    expect(clientEventAliases).toEqual({ sync_request: 'request_sync', get_sync: 'request_sync' })
  })

  it('7.22a, 7.22b ping with a time, and echo with any value', () => {
    expect(accepts('ping', { time: 1.5 })).toBe(true)
    expect(accepts('ping', {})).toBe(false)
    expect(accepts('echo', { timestamp: 1, clientId: 'c', test: { deep: ['yes'] } })).toBe(true)
    expect(accepts('echo', { timestamp: '2026-01-01T00:00:00Z', clientId: null })).toBe(true)
  })

  it('7.18, 7.20a, 7.21 fields that nobody reads may hold anything', () => {
    for (const unread of [null, true, 7, 'text', ['x'], { deep: 1 }]) {
      const rest = { roomId: 'r', timestamp: unread, timestamps: unread, forceSync: unread }
      const more = { ...rest, priority: unread, initialJoin: unread, clientId: unread }
      expect(accepts('direct_command', { ...more, command: 'play' })).toBe(true)
      expect(accepts('request_sync', more)).toBe(true)
      expect(accepts('track_changed', { ...rest, trackId: 't', version: unread })).toBe(true)
    }
  })

  it('7.16a null stands for a field of a state that is not there', () => {
    const { current_position: _, ...fields } = clientEvents.playback_update.payload.shape.state.shape
    const names = Object.keys(fields)
    const state = { ...Object.fromEntries(names.map((name) => [name, null])), is_playing: true }
    const { data } = clientEvents.playback_update.payload.safeParse({ roomId: 'r', state })
    expect(data?.state).toMatchObject({ is_playing: true, command: undefined, duration: undefined })
  })

  it.each([null, 7, 'text', []])('7.23c no event accepts %j as a payload', (payload) => {
    for (const name of Object.keys(clientEvents) as (keyof typeof clientEvents)[]) {
      expect(accepts(name, payload)).toBe(false)
    }
  })
})

it('7.23a, 7.23b events sent to clients have the names of the specification', () => {
  expect(Object.keys(serverEvents)).toEqual(
    expect.arrayContaining(
      'playback_updated direct_command queueUpdate userJoin userPresence roomUpdate message'.split(' '),
    ),
  )
})
