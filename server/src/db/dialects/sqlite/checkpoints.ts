import type { DatabaseSync } from 'node:sqlite'

/** Some 500 pages of the log. At 1,000 SQLite merges it itself, in the commit that reaches them. */
const worksPerCheckpoint = 100

/** Merges the write-ahead log into the database file between commits, so that no command waits for it. */
export interface Checkpoints {
  /** Call it when work is done and answered. */
  afterWork(): void
}

export function createCheckpoints(database: DatabaseSync): Checkpoints {
  let works = 0

  return {
    afterWork() {
      works += 1
      if (works < worksPerCheckpoint || database.isTransaction) return
      works = 0
      try {
        database.exec('pragma wal_checkpoint(passive)')
      } catch {
        // The disk is full or broken. Nothing is lost: the log has all commits, and the next one reports it.
      }
    },
  }
}
