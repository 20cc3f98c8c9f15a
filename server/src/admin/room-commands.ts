import { deleteRoomRow, findRoomsByName } from '../db/admin-rooms.ts'
import { type Command, CommandError, withDatabase } from './command.ts'
import { printable } from './printable.ts'

/** The rooms of a server. */
export const roomCommands: Record<string, Command> = {
  'delete-room': {
    usage: 'delete-room ROOM',
    summary: 'delete a room, given its id or its whole name, with queue and chat',
    takes: [1, 1],
    run: withDatabase(async ({ db, print }, { positionals: [name = ''] }) => {
      const found = await findRoomsByName(db, name)
      const [room] = found
      if (!room) throw new CommandError(`There is no room ${JSON.stringify(name)}.`)
      if (found.length > 1) {
        const ids = found.map(({ id }) => id).join(', ')
        throw new CommandError(`Several rooms have this name. Give an id: ${ids}`)
      }
      await deleteRoomRow(db, room.id)
      print(`${printable(room.name)} is deleted. Its members are removed within seconds.`)
    }),
  },
}
