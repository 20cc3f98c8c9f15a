import { AppError } from '@earshot/core/protocol/errors'
import { z } from 'zod'
import { parseJson } from './parse-json.ts'

/** A cursor is the sort key of a page's last row, which clients pass back as it is: rows that come and go shift no page. */

/** A text in a cursor. PostgreSQL refuses NUL. */
export const cursorText = z.string().regex(/^[^\0]*$/)

export function writeCursor(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url')
}

/** Reads a cursor of this server. Throws `invalid_input` for any other text. */
export function readCursor<Key>(schema: z.ZodType<Key>, cursor: string): Key {
  const { data, success } = schema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()))
  if (!success) throw new AppError('invalid_input', 'cursor: not of this list')
  return data
}
