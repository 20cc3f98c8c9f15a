import type { BufferQueue } from './buffer-queue.ts'

/** What was heard before and may still sound: to the end of its track, or until it stops. */
export class LeavingQueues {
  readonly #queues = new Set<BufferQueue>()

  add(queue: BufferQueue): void {
    this.#queues.add(queue)
  }

  /** For a queue of which nothing sounds any more. */
  delete(queue: BufferQueue): void {
    this.#queues.delete(queue)
  }

  /** Stops all at a frame of the context, or as soon as possible; those that are to stop before, then. */
  stop(atFrame: number): void {
    for (const queue of this.#queues) queue.stop(atFrame)
  }

  followShift(frames: number): void {
    for (const queue of this.#queues) queue.followShift(frames)
  }

  /** The context's frame at which a track ends that sounds to its end; null without one, or while that is not decoded. */
  get endFrame(): number | null {
    return [...this.#queues].map(({ endFrame }) => endFrame).find((frame) => frame !== null) ?? null
  }
}
