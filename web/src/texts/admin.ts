import { formatBytes, splitDuration } from './grammar/amounts.ts'

/** The texts of the administration. */

export const admin = {
  title: 'Administration',
  needsLogin: 'Please sign in to administer this server',
  sections: 'Sections',
  overview: 'Overview',
  users: 'Users',
  rooms: 'Rooms',
  invites: 'Invites',
  library: 'Library',
  loadFailed: 'This could not be loaded',
  loadFailedText: 'Check your internet connection, or try again.',
  failed: 'This did not work',
  search: 'Search',
  more: 'Show More',
  total: (count: number) => `${count.toLocaleString('en')} in all`,
  cancel: 'Cancel',
  copy: 'Copy Link',
  copied: 'Link copied',
  copyFailed: 'Could not copy the link. Please copy it by hand.',
  created: (ago: string) => `Created ${ago}`,
  actionsOf: (name: string) => `Actions for ${name}`,
}

/** The page for the first administrator. */
export const adminCode = {
  title: 'Become the administrator',
  text: 'This server has no administrator yet. Enter the one-time code that it logged when it started. To get a new one, run this on the server:',
  command: 'npm run admin -- code',
  code: 'Code',
  placeholder: 'ABCD-EFGH-JKMN',
  submit: 'Continue',
  checking: 'Checking',
  required: 'Enter the code',
  done: 'You are the administrator now',
}

export const adminUsers = {
  searchFor: 'Search users by name or email',
  none: 'No users found',
  admin: 'Administrator',
  disabled: 'Disabled',
  library: 'Library',
  seen: (ago: string) => `Seen ${ago}`,
  neverSeen: 'Not signed in',
  disable: 'Disable',
  enable: 'Enable',
  makeAdmin: 'Make Administrator',
  removeAdmin: 'Remove as Administrator',
  giveLibrary: 'Let Into the Library',
  takeLibrary: 'Take Library Access Away',
  resetLink: 'Create Reset Link',
  resetTitle: (name: string) => `A new password for ${name}`,
  resetText:
    'Pass this link on to the owner of the account only. It sets a new password, once, within an hour.',
  disableTitle: (name: string) => `Disable ${name}?`,
  disableText:
    'They are signed out everywhere at once, and cannot sign in until you enable the account again.',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText:
    'The account, its profile and its rooms are deleted for good. Its messages in other rooms stay.',
}

export const adminRooms = {
  searchFor: 'Search rooms by name',
  none: 'No rooms found',
  private: 'Private',
  owner: (name: string) => `Owned by ${name}`,
  members: (count: number) => (count === 1 ? '1 member' : `${count} members`),
  rename: 'Rename',
  renameTitle: 'Rename the room',
  name: 'Room Name',
  save: 'Save',
  nameRequired: 'Room name required',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete ${name}?`,
  deleteText: 'The room, its queue and its chat will be deleted for good. Its members will have to leave.',
}

export const adminInvites = {
  text: 'Whoever has an invite link may create an account on this server.',
  note: 'For whom (optional)',
  uses: 'Number of accounts',
  days: 'Valid for (days)',
  usesWrong: 'From 1 to 1000',
  daysWrong: 'From 1 to 365',
  library: 'Gives access to the library',
  libraryHint: 'Matters where this server keeps its library for invited members.',
  create: 'Create Invite',
  linkTitle: 'The invite link',
  linkText: 'It is shown only now. Pass it on as you like.',
  none: 'No invites',
  noneText: 'Those you create are listed here until they expire.',
  untitled: 'Without a note',
  used: (uses: number, maxUses: number) => `Used ${uses} of ${maxUses} ${maxUses === 1 ? 'time' : 'times'}`,
  expires: (day: string) => `Expires ${day}`,
  revoke: 'Revoke',
  revokeOf: (note: string) => `Revoke the invite “${note}”`,
}

export const adminLibrary = {
  scan: 'Scan Now',
  scanning: 'Scanning',
  tracks: (count: number) => (count === 1 ? '1 track' : `${count.toLocaleString('en')} tracks`),
  upToDate: 'The library is up to date.',
  isScanning: 'The music folder is being scanned. New tracks appear as they are found.',
  problems: (count: number) =>
    count === 1 ? 'One file cannot be used' : `${count.toLocaleString('en')} files cannot be used`,
  firstProblems: (count: number) => `The first ${count} are shown.`,
  noProblems: 'All files can be used.',
}

export const figures = {
  now: 'Now',
  storage: 'Storage',
  members: 'Members in rooms',
  sockets: 'Connections',
  rooms: 'Rooms',
  users: 'Users',
  memory: 'Memory',
  uptime: 'Uptime',
  delay: 'Event loop delay (99 %)',
  version: 'Version',
  database: 'Database',
  covers: 'Covers',
  cache: 'Indexes of audio files',
  copies: 'Copies, backups and mails',
  free: 'Free disk space',
  none: '--',
  ms: (ms: number) => `${ms.toFixed(1)} ms`,
  bytes: (bytes: number) => formatBytes(bytes, 'en'),
  duration: (ms: number) => {
    const { days, hours, minutes } = splitDuration(ms)
    return days > 0 ? `${days} d ${hours} h` : `${hours} h ${minutes} min`
  },
}
