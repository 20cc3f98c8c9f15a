import { door as texts } from '../../../texts/door.ts'

/** `room`: the name; empty where it is unknown, or kept from strangers. */
export const privateTitle = (room = ''): string =>
  room === '' ? texts.thisRoomIsPrivate : texts.private(room)
