import { Client } from 'pg'
import { errorCode } from '../../error-code.ts'
import { statementNameOf } from './statement-names.ts'

const readOnlyCode = '25006'

/** A connection of the pool. Runs statements that have a name under it, so that PostgreSQL parses and plans each once. */
export class PoolConnection extends Client {
  readonly openedAtMs = performance.now()
  /** Whether it refused a write, as a standby does. */
  isReadOnly = false

  override query(...given: unknown[]): never {
    const [text, values] = given
    const name = typeof text === 'string' ? statementNameOf(text) : null
    const passed = name === null ? given : [{ name, text, values }, ...given.slice(2)]
    const answer: unknown = super.query(...(passed as [string]))
    if (answer instanceof Promise) answer.catch((error: unknown) => this.#note(error))
    return answer as never
  }

  #note(error: unknown): void {
    if (errorCode(error) === readOnlyCode) this.isReadOnly = true
  }
}
