import type { CompiledQuery, QueryResult } from 'kysely'
import { type Db, engineOf } from './database.ts'
import { nameStatement } from './dialects/statement-names.ts'

/** Runs the query with these values. */
type PreparedQuery<Values, Row> = (db: Db, values: Values) => Promise<QueryResult<Row>>

/** Stands for a value while its query is compiled. */
class Placeholder {
  readonly name: string

  constructor(name: string) {
    this.name = name
  }
}

/**
 * Compiles a query at its first use, once for each engine: for queries that run with every command or call, building
 * and compiling takes longer than running. `build` gets the names of the values only, so it must not look at them.
 */
export function prepareQuery<Values extends object, Row>(
  build: (db: Db, values: Values) => CompiledQuery<Row>,
): PreparedQuery<Values, Row> {
  const compiled = new Map<string, CompiledQuery<Row>>()
  const placeholders = new Proxy({} as Values, { get: (_target, name) => new Placeholder(String(name)) })

  return async (db, values) => {
    const engine = engineOf(db)
    const query = compiled.get(engine) ?? build(db, placeholders)
    if (!compiled.has(engine) && isWrite(query)) nameStatement(query.sql)
    compiled.set(engine, query)
    const parameters = query.parameters.map((parameter) =>
      parameter instanceof Placeholder ? Reflect.get(values, parameter.name) : parameter,
    )
    return await db.executeQuery({ ...query, parameters })
  }
}

function isWrite({ query }: CompiledQuery): boolean {
  return query.kind === 'UpdateQueryNode' && query.returning === undefined
}
