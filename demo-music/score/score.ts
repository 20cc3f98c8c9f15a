import type { Desk, Room } from '../mix/desk.ts'
import type { Fades } from '../mix/master.ts'

/** A piece of music: how long, in which room, and who plays what. */
export interface Score {
  title: string
  genre: string
  seconds: number
  room: Room
  fades: Fades
  /** Adds every part to the desk. */
  compose(desk: Desk): void
}
