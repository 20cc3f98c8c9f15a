import { named } from './grammar/named.ts'

/** The texts about who has the controls, and of the owner's room settings. */

export const controls = {
  /** Why the playback buttons are disabled. */
  hint: (owner: string, controller: string | null) =>
    controller === null
      ? named`${owner} controls the playback`
      : named`${owner} is away, ${controller} has the controls`,
  nobody: (owner: string) => named`${owner} is away, nobody has the controls`,
  yours: (owner: string) => named`${owner} is away, you have the controls`,
}

export const roomSettings = {
  open: 'Room settings',
  title: 'Room settings',
  name: 'Room Name',
  control: 'Who controls the playback',
  controlChoices: {
    owner: { title: 'Only me', text: 'Nobody controls it while you are away' },
    hand_over: {
      title: 'Me, and somebody else while I am away',
      text: 'After a minute the member who has been there longest, until you return',
    },
    everybody: { title: 'Everybody', text: 'All members can play, pause, seek and skip' },
  },
  skipVotes: 'Votes to skip a track',
  skipVotesChoices: {
    off: { title: 'No votes', text: 'Only who has the controls skips' },
    half: { title: 'More than half of the listeners', text: 'Guests vote, too. Who is away does not count' },
    third: { title: 'A third of the listeners', text: 'For rooms where many only have it on' },
  },
  guests: 'People without an account',
  guestChoices: {
    nobody: { title: 'Cannot come in', text: 'Everybody needs an account' },
    invited: { title: 'With an invite link', text: 'Only through a link that you share' },
    everyone: { title: 'Can come in', text: 'A name is enough to listen' },
  },
  guestsChat: 'Guests may chat',
  guestsChatHint: 'Otherwise they listen and read along.',
  guestsQueue: 'Guests may change the queue',
  guestsQueueHint: 'Otherwise they add, move and remove nothing.',
  removal: 'Members may remove',
  removalChoices: {
    anybody: { title: 'Every track in the queue', text: 'Whoever added it' },
    own: { title: 'Only tracks they added', text: 'You can remove every track' },
  },
  waitingTracks: 'Waiting tracks per member',
  waitingTracksHint: 'How many tracks each member may have in the queue. You have no limit.',
  waitingTracksNone: 'No limit',
  waitingTracksMost: (count: number) => `At most ${count}`,
  repeat: 'Repeat the queue',
  repeatHint: 'What was played goes to the end of the queue.',
  privacy: 'Room Privacy',
  listed: 'Show the name to everybody',
  listedHint:
    'Otherwise the room is in no list, and its link tells strangers only that it is private. You find it on Home, others by its link.',
  newPassword: 'New password',
  newPasswordHint: 'Leave it empty to keep the current password.',
  newPasswordEnds:
    'A new password ends all invite links. People in the room stay; everybody else is asked for the new one.',
  save: 'Save',
  saving: 'Saving',
  saved: 'Room settings saved',
  saveFailed: 'The settings could not be saved',
  handOver: 'Hand over the room',
  handOverText: 'The new owner takes charge of the room. You stay as a listener.',
  handOverTo: 'New owner',
  handOverNobody: 'Nobody else with an account is in the room.',
  handOverConfirm: (name: string) => named`Hand over to ${name}`,
  handedOver: (name: string) => named`${name} owns the room now`,
  handOverFailed: 'The room could not be handed over',
  handOverTooMany: 'The new owner has too many rooms.',
  delete: 'Delete the room',
  deleteText: 'The room, its queue and its chat are deleted for everybody. This cannot be undone.',
  deleteConfirm: (name: string) => named`Delete “${name}”`,
  deleteFailed: 'The room could not be deleted',
}
