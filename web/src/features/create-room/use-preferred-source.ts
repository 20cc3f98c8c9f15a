import type { Source, SourceStatus } from '@earshot/core/protocol/entities'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { profileQuery, sourcesQuery } from '../../api/queries.ts'

const libraryAlone: SourceStatus[] = [{ source: 'library', available: true, reason: null }]

/** The chosen source; until one is chosen, the user's preference, or what works in its place. */
export function usePreferredSource(userId: string) {
  const [chosen, chooseSource] = useState<Source | null>(null)
  const { data: sources = libraryAlone } = useQuery(sourcesQuery)
  const { data: profile } = useQuery(profileQuery(userId))
  const source = chosen ?? pickSource(sources, profile?.preferred_source)
  return { source, sources, chooseSource }
}

function pickSource(sources: readonly SourceStatus[], preferred: Source | undefined): Source {
  const available = sources.filter((status) => status.available).map((status) => status.source)
  return available.find((source) => source === preferred) ?? available[0] ?? 'library'
}
