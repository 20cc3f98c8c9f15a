import type { Seat, SeatKey } from './presence.ts'

/** The seats that the sockets of this process hold, and whose leases it therefore renews. */
export interface HeldSeats {
  add(seat: Seat): void
  has(seat: SeatKey): boolean
  remove(seat: SeatKey): void
  removeUser(roomId: string, userId: string): void
  /** Removes all seats of a socket and returns them. */
  takeSocket(seatId: string): Seat[]
  list(): Seat[]
}

export function createHeldSeats(): HeldSeats {
  /** By socket, then by room. */
  const sockets = new Map<string, Map<string, Seat>>()

  return {
    add(seat) {
      const seats = sockets.get(seat.seatId) ?? new Map<string, Seat>()
      sockets.set(seat.seatId, seats.set(seat.roomId, seat))
    },
    has: (seat) => sockets.get(seat.seatId)?.has(seat.roomId) ?? false,
    remove: (seat) => void sockets.get(seat.seatId)?.delete(seat.roomId),
    removeUser(roomId, userId) {
      for (const seats of sockets.values()) {
        if (seats.get(roomId)?.userId === userId) seats.delete(roomId)
      }
    },
    takeSocket(seatId) {
      const seats = sockets.get(seatId)
      sockets.delete(seatId)
      return [...(seats?.values() ?? [])]
    },
    list: () => [...sockets.values()].flatMap((seats) => [...seats.values()]),
  }
}
