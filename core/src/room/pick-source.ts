import type { Source, SourceStatus } from '../protocol/entities.ts'

/** The sources to assume until the server has listed its own. */
export const libraryOnly: SourceStatus[] = [{ source: 'library', available: true, reason: null }]

/** Returns the preferred source if it is available, else the first available one, else the library. */
export function pickSource(sources: readonly SourceStatus[], preferred: Source | undefined): Source {
  const available = sources.filter((status) => status.available).map((status) => status.source)
  return available.find((source) => source === preferred) ?? available[0] ?? 'library'
}
