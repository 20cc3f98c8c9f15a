import {
  type Dialect,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { SqliteDriver } from './sqlite/driver.ts'

const defaultBusyTimeoutMs = 10_000

export interface SqliteOptions {
  path: string
  /** How long a write waits for the lock of another process, ms. */
  busyTimeoutMs?: number
  /** Called when a thread of the database ends unexpectedly (the next query starts it again), and when writes time out. */
  onError: (error: Error) => void
}

/**
 * Runs SQLite, Node's own module, in threads: one writes, others read. The main thread only sends statements, so that
 * neither a slow query nor a lock nor the disk holds it up.
 */
export function createSqliteDialect({ path, onError, busyTimeoutMs }: SqliteOptions): Dialect {
  const driverOptions = { path, onError, busyTimeoutMs: busyTimeoutMs ?? defaultBusyTimeoutMs }
  return { ...queryParts, createDriver: () => new SqliteDriver(driverOptions) }
}

class ThreadedAdapter extends SqliteAdapter {
  /** The writing thread serialises transactions. */
  override get supportsMultipleConnections(): boolean {
    return true
  }

  /** SQLite can roll back schema changes, so migrations run in one transaction and under its lock. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Omits row locks: SQLite has none, and a transaction holds the only write lock. */
class LocklessCompiler extends SqliteQueryCompiler {
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier === 'Distinct' || node.rawModifier !== undefined) super.visitSelectModifier(node)
  }
}

/** The dialect without its driver: enough to compile queries. */
export const queryParts: Omit<Dialect, 'createDriver'> = {
  createAdapter: () => new ThreadedAdapter(),
  createQueryCompiler: () => new LocklessCompiler(),
  createIntrospector: (db) => new SqliteIntrospector(db),
}
