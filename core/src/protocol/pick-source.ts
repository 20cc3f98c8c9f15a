import type { Source, SourceStatus } from './entities.ts'

/** Picks the preferred source if it is available, otherwise the first one that is, otherwise the library. */
export function pickSource(sources: readonly SourceStatus[], preferred: Source | undefined): Source {
  const available = sources.filter((status) => status.available).map((status) => status.source)
  return available.find((source) => source === preferred) ?? available[0] ?? 'library'
}
