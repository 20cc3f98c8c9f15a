import { type RoomSettings, defaultRoomSettings, roomSettingsSchema } from '@earshot/core/protocol/entities'

/** Reads the settings of a room's row; unknown values are the defaults. */
export function parseRoomSettings(settings: string): RoomSettings {
  return settings === '{}' ? defaultRoomSettings : roomSettingsSchema.parse(JSON.parse(settings))
}
