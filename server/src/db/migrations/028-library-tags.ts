import { type RawBuilder, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What searches no longer distinguish, in the names of rooms as they were stored. */
const folded: [characters: string, as: string][] = [
  ['\u2010\u2012\u2013\u2014\u2015\u2212', '-'],
  ['‛"“”„‟«»\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff', ''],
  ['\u0640\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0670', ''],
  ['أإآٱ', 'ا'],
  ['ىیئ', 'ي'],
  ['ؤ', 'و'],
  ['ک', 'ك'],
  ['ة', 'ه'],
  ['ς', 'σ'],
]

/**
 * Adds when library files may have changed last. The next scan takes that for changed and reads the tags of all files
 * again, by new rules. Years that were misread are forgotten until then.
 */
export const libraryTags: Migration = {
  async up(db) {
    await sql`alter table library_files add column changed_at bigint not null default -1`.execute(db)
    await sql`update library_albums set year = null, release_text = '9999' || substr(release_text, 5)
      where year < 1000`.execute(db)
    const pairs = folded.flatMap(([characters, as]) => Array.from(characters, (each) => [each, as] as const))
    const searchText = pairs.reduce<RawBuilder<string>>(
      (text, [from, to]) => sql`replace(${text}, cast(${from} as text), cast(${to} as text))`,
      sql`search_text`,
    )
    await sql`update rooms set search_text = ${searchText}`.execute(db)
  },
}
