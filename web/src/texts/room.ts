import type { ReactionKind } from '@earshot/core/protocol/wire-constants'
import { named } from './grammar/named.ts'
/** The texts of a room: the page, its members and invites. */

export const room = {
  title: 'Room',
  loading: 'Loading room...',
  notFoundTitle: 'Room not found',
  notFoundText: "The room you're looking for doesn't exist or you don't have permission to join.",
  returnHome: 'Return Home',
  connectingTitle: 'Loading room...',
  connectingText: 'Connecting to room server...',
  connectingHint: 'If this takes a while, check your internet connection or try again.',
  retryConnection: 'Retry Connection',
  reconnectingNotice: 'Reconnecting',
  joinFailedTitle: 'Error joining room',
  joinFailedText: 'Could not join the room. Please try again.',
  screenFailedTitle: 'The room could not be displayed',
  screenFailedText: 'The music continues.',
  partFailed: 'This part could not be displayed',
  memberCount: (count: number) => (count === 1 ? '1 member' : `${count} members`),
  owner: 'Owner',
  sideColumn: 'Queue, music and chat',
  ownerIsYou: 'You',
  offline: 'You are offline. The music continues as long as it is buffered.',
  reconnecting: 'Connection lost. Reconnecting...',
  connectionDisabled: 'The room server cannot be reached.',
  commandFailedTitle: 'Error',
  inRoom: 'In',
  lostTitle: 'You are no longer in the room',
  lostText: 'It was closed, or you no longer have permission to join.',
}

export const roomClosed = {
  title: (room: string | null) => (room === null ? 'This room was closed' : named`“${room}” was closed`),
  text: 'The room was deleted. You can join or create another one.',
}

export const invite = {
  open: 'Invite',
  title: 'Invite people',
  link: 'Link to this room',
  copy: 'Copy link',
  copied: 'Link copied',
  copiedText: 'Share it with the people you want to invite.',
  copyFailed: 'Could not copy the link',
  copyFailedText: 'It is selected now, so you can copy it by hand.',
  share: 'Share',
  code: 'QR code of the link',
  publicText: 'Everyone with an account who has this link can join.',
  openText: 'Anyone with this link can listen. No account needed.',
  guestText: (date: string) => `Anyone with this link can listen until ${date}. No account needed.`,
  accountText: (date: string) =>
    `Anyone with this link and an account can join without the password until ${date}.`,
  ownerText: (date: string) => `Anyone with this link can join without the password until ${date}.`,
  memberText:
    'Anyone who opens this link is asked for the password. The owner can create a link that needs none.',
  createFailedPublic: 'Could not create an invite link. With this one, people need an account.',
  createFailed: 'Could not create an invite link. This link asks for the password.',
  once: 'For one person',
  onceHint: 'The link admits the first person who joins with it.',
  onceText: (date: string) => `The first person who joins with this link is admitted, until ${date}.`,
  revoke: 'End all links',
  revoked: 'Earlier links no longer work',
  revokedText: 'People who have joined already stay admitted.',
  revokeFailed: 'Could not end the links. Please try again.',
}

export const members = {
  title: 'Room Members',
  online: (count: number) => `${count} online`,
  none: 'No members online',
  owner: 'Owner',
  you: 'You',
  more: (count: number) => `and ${count} more`,
}

export const roomTabs = {
  label: 'Room',
  queue: 'Queue',
  findMusic: 'Find Music',
  chat: 'Chat',
  unread: (count: number) => `${count} unread`,
  changed: 'changed',
}

export const keyboard = {
  title: 'Keyboard',
  open: 'Keyboard shortcuts',
  switch: 'Single-key shortcuts',
  switchHint: 'Off: keys do nothing unless a button or field is focused. This device remembers the setting.',
  keys: [
    { key: 's', does: 'Sync your sound with the room' },
    { key: 'Space', does: 'Play or pause, if you have the controls' },
    { key: 'm', does: 'Mute or unmute' },
    { key: 'f', does: 'Listen mode' },
    { key: '/', does: 'Search for music' },
    { key: '1 – 6', does: 'React to the music' },
    { key: '↑ ↓', does: 'Move through a list' },
    { key: '?', does: 'Show this list' },
  ],
}

export const reactions = {
  title: 'Reactions',
  names: {
    love: 'Love it',
    fire: 'Fire',
    party: 'Party',
    laugh: 'Ha ha',
    wow: 'Wow',
    thumbs_up: 'Thumbs up',
  } satisfies Record<ReactionKind, string>,
  /** Said to screen readers once in a while. */
  summary: (count: number) => (count === 1 ? '1 reaction' : `${count} reactions`),
  failedTitle: 'Error',
  failedText: 'Could not send your reaction.',
}
