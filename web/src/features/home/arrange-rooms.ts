import type { Room } from '@earshot/core/protocol/entities'

/** The rooms whose name contains the words, whatever the case (2.12), most listeners first (2.13). */
export function arrangeRooms(rooms: readonly Room[], words: string): Room[] {
  const wanted = words.trim().toLocaleLowerCase()
  return rooms
    .filter((room) => room.name.toLocaleLowerCase().includes(wanted))
    .toSorted((one, other) => other.listeners - one.listeners)
}
