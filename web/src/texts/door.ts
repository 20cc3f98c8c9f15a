import { named } from './grammar/named.ts'

/** The texts of a room's door: what visitors see before joining. */

interface Scene {
  owner: string
  room: string
  track: string | null
  isPlaying: boolean
  isOwnerHere: boolean
}

export const door = {
  scene: ({ owner, room, track, isPlaying, isOwnerHere }: Scene) => {
    if (track === null) return named`Listen with ${owner} in ${room}`
    if (!isPlaying) return named`Next with ${owner} in ${room}: ${track}`
    return isOwnerHere
      ? named`${owner} is playing ${track} in ${room}`
      : named`${track} is playing in ${room}, hosted by ${owner}`
  },
  private: (room: string) => named`${room} is private`,
  thisRoomIsPrivate: 'This room is private',
  listening: (count: number) => (count === 1 ? '1 person is here' : `${count} people are here`),
  nobody: 'Nobody is here yet',
  name: 'Your name',
  namePlaceholder: 'The name that others see',
  nameMissing: 'Enter a name first.',
  listen: 'Listen',
  entering: 'Joining',
  orAccount: 'Have an account?',
  signIn: 'Sign in',
  createAccount: 'Create account',
  /** `owner`: empty where the name is kept from strangers. */
  closed: {
    nobody: (owner: string) =>
      named`Sign in to listen: ${owner || 'the owner'} admits only people with an account.`,
    invited: (owner: string) =>
      named`Sign in to listen, or ask ${owner || 'the owner'} for an invite link: it needs no account.`,
    everyone: () => 'Sign in to listen.',
  },
  networkBanned: 'Sign in to listen: new guests from this network cannot join for now.',
  inviteEnded: (owner: string) =>
    named`This invite link no longer works. Ask ${owner || 'the owner'} for a new one, or sign in.`,
  failed: 'You could not join. Check your internet connection and try again.',
  loadFailedTitle: 'The room could not be loaded',
  loadFailedText: 'Check your internet connection, or try again.',
  sessionEnded: 'Your session has ended, so the music stopped here. Come in again to go on listening.',
  askPassword: 'Enter its password, or ask the owner for an invite link.',
  askPasswordInviteEnded:
    'This invite link no longer works. Enter the password of the room, or ask the owner for a new link.',
  password: 'Room Password',
  join: 'Join Room',
  checking: 'Checking',
  manyGuests: (when: string) => `Many guests are joining from this network. Try again ${when}, or sign in.`,
  wait: (seconds: number) =>
    seconds === 1
      ? 'Too many attempts. Try again in 1 second.'
      : `Too many attempts. Try again in ${seconds} seconds.`,
}
