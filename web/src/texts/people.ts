/** The texts about the people in a room. */

const inRoom = (name: string | undefined) => (name === undefined ? 'this room' : `“${name}”`)

export const people = {
  kickedTitle: (room?: string) => `You were removed from ${inRoom(room)}`,
  kickedText: 'The owner of the room removed you. You can join again.',
  bannedTitle: (room?: string) => `You are banned from ${inRoom(room)}`,
  bannedText: 'The owner of the room decided this, and can take it back. Until then you cannot join.',
  joinAgain: 'Join again',
}
