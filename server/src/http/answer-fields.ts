import { z } from 'zod'

/** Returns a value with the fields of a schema only. */
type ReduceAnswer = (value: unknown) => unknown

/**
 * Compiles the schema of an answer to a function that drops all fields that it does not name. Values are not checked: the
 * compiler has proved that handlers return what the schema states, and checking takes as long as the rest of a call.
 * Parts with a form of their own, such as unions of objects, are encoded by the schema, which checks them.
 */
export function reduceTo(schema: z.core.$ZodType): ReduceAnswer {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object':
      return def.catchall ? encodeBy(schema) : reduceToFields(def.shape)
    case 'array': {
      const reduce = reduceTo(def.element)
      return (value) => (value as unknown[]).map((each) => reduce(each))
    }
    case 'optional':
    case 'nullable':
    case 'default': {
      const reduce = reduceTo(def.innerType)
      return (value) => (value === undefined || value === null ? value : reduce(value))
    }
    case 'string':
    case 'number':
    case 'boolean':
    case 'literal':
    case 'enum':
    case 'null':
      return (value) => value
    default:
      return encodeBy(schema)
  }
}

function reduceToFields(shape: Readonly<Record<string, z.core.$ZodType>>): ReduceAnswer {
  const fields = Object.entries(shape).map(([name, schema]) => ({ name, reduce: reduceTo(schema) }))
  return (value) => {
    const from = value as Record<string, unknown>
    const reduced: Record<string, unknown> = {}
    for (const { name, reduce } of fields) if (from[name] !== undefined) reduced[name] = reduce(from[name])
    return reduced
  }
}

const encodeBy =
  (schema: z.core.$ZodType): ReduceAnswer =>
  (value) =>
    z.encode(schema, value)
