import { named } from './grammar/named.ts'

/** How the owner of a room removes people and messages. */

export const removal = {
  kick: 'Remove from the room',
  ban: 'Ban from the room',
  kicked: (name: string) => named`${name} was removed`,
  banned: (name: string) => named`${name} is banned`,
  banTitle: (name: string) => named`Ban ${name}?`,
  banText: 'They leave now and cannot join again, not even with an invite link, until you lift the ban.',
  banGuestText:
    'They leave now and cannot join again. For a day, other guests from their network cannot join either.',
  removeContent: 'Also remove their tracks from the queue and their messages',
  confirmBan: 'Ban',
  cancel: 'Cancel',
  failedTitle: 'Error',
  bans: (count: number) => `Banned people (${count})`,
  bansFailed: 'The bans could not be loaded',
  lift: 'Lift ban',
  liftFor: (name: string) => named`Lift the ban of ${name}`,
  deleteMessage: 'Delete message',
  deleteTitle: 'Delete this message?',
  deleteText: 'It disappears for everybody in the room.',
  confirmDelete: 'Delete',
}
