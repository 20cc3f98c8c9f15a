import type { Activity } from '@earshot/core/protocol/activity'
import { named } from './grammar/named.ts'

/** The texts about the people in a room: who is there, and what they did. */

const inRoom = (name: string | undefined) => (name === undefined ? 'this room' : named`“${name}”`)
const tracks = (title: string | undefined, count: number) =>
  count > 1 || title === undefined ? `${count} ${count === 1 ? 'track' : 'tracks'}` : named`“${title}”`

export const people = {
  kickedTitle: (room?: string) => `You were removed from ${inRoom(room)}`,
  kickedText: 'The owner of the room removed you. You can join again.',
  bannedTitle: (room?: string) => `You are banned from ${inRoom(room)}`,
  bannedText: 'The owner of the room banned you, and can lift the ban. Until then you cannot join.',
  joinAgain: 'Join again',
  guest: 'Guest',
  hasControls: 'Has the controls',
  showMore: (count: number) => `Show ${count} more`,
  moreFailed: 'Could not load more people. Please try again.',
  actionsFor: (name: string) => named`Remove ${name}`,
  notListening: 'No figures yet',
  ring: 'People in the room',
  others: (count: number) => `and ${count} more`,
  plus: (count: number) => `+${count}`,
  alone: 'You are alone here',
  invite: 'Invite people',
  diagnose: 'Check my sound',
  causes: {
    in_sync: 'The room’s sound comes at the right moment.',
    correcting: 'Moving to the room’s position.',
    buffering: 'Waiting for music to load.',
    ad: 'An ad is playing. The room goes on.',
    hidden: 'The page is in the background, where browsers slow it down.',
    blocked: 'The browser waits for a tap before it plays sound.',
    unplayable: 'This device cannot play the track.',
    no_clock: 'Measuring the offset from the server’s clock.',
    paused: 'Nothing is playing.',
  },
}

/** Describes what happened, for a line of its own. An unknown kind of a newer server has no line. */
export function describeActivity({ kind, user, title, count = 1 }: Activity, isOwn: boolean): string | null {
  const name = isOwn ? 'You' : (user?.username ?? 'The room')
  switch (kind) {
    case 'added':
      return named`${name} added ${tracks(title, count)}`
    case 'removed':
      return named`${name} removed ${tracks(title, count)}`
    case 'skipped':
      return named`${name} skipped ${tracks(title, count)}`
    case 'voted_out':
      return `Skipped by vote: ${tracks(title, count)}`
    case 'played_next':
      return named`${name} put ${tracks(title, count)} next`
    case 'joined':
      return count > 1 ? `${count} people joined` : named`${name} joined`
    case 'left':
      return count > 1 ? `${count} people left` : named`${name} left`
    case 'controls':
      return isOwn ? 'You have the controls' : named`${name} has the controls`
    case 'kicked':
      return named`${name} was removed by the owner`
    case 'banned':
      return named`${name} was banned by the owner`
    default:
      return null
  }
}
