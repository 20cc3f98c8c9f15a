import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  listenToExternalCommands,
  playbackCommandEvent,
  playerCommandEvent,
  type ExternalCommand,
} from './external-commands.ts'

const commands: ExternalCommand[] = []
let stop: () => void
const warn = vi.spyOn(console, 'warn')

beforeEach(() => {
  commands.length = 0
  warn.mockReset().mockImplementation(() => undefined)
  stop = listenToExternalCommands((command) => commands.push(command))
})
afterEach(() => stop())

const send = (name: string, detail: unknown) => window.dispatchEvent(new CustomEvent(name, { detail }))

it('4.19e a player command has a command and a position', () => {
  send(playerCommandEvent, { command: 'play' })
  send(playerCommandEvent, { command: 'pause', position: 1_500 })
  send(playerCommandEvent, { command: 'seek', position: 30_000 })
  expect(commands).toEqual([
    { isPlaying: true, positionMs: null },
    { isPlaying: false, positionMs: 1_500 },
    { isPlaying: null, positionMs: 30_000 },
  ])
})

it('4.19e a playback command also says whether it plays after a seek', () => {
  send(playbackCommandEvent, { command: 'seek', playing: false, position: 9_000 })
  send(playbackCommandEvent, { command: 'play', playing: true, position: 0 })
  expect(commands).toEqual([
    { isPlaying: false, positionMs: 9_000 },
    { isPlaying: true, positionMs: 0 },
  ])
})

it.each([
  ['an unknown command', { command: 'rewind' }],
  ['a seek to nowhere', { command: 'seek' }],
  ['a seek before the beginning', { command: 'seek', position: -1 }],
  ['no command', {}],
  ['no object', 'play'],
  ['nothing', undefined],
])('4.19e %s is warned about and ignored', (_, detail) => {
  send(playerCommandEvent, detail)
  expect(commands).toEqual([])
  expect(warn).toHaveBeenCalledOnce()
})

it('ignores commands after it was stopped', () => {
  stop()
  send(playerCommandEvent, { command: 'play' })
  expect(commands).toEqual([])
})
