import { type RoomSettings, roomSettingsSchema } from '@earshot/core/protocol/entities'

/** Reads the settings of a room's row; unknown values are the defaults. */
export function parseRoomSettings(settings: string): RoomSettings {
  return roomSettingsSchema.parse(JSON.parse(settings))
}
