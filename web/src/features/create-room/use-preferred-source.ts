import type { Source } from '@earshot/core/protocol/entities'
import { pickSource } from '@earshot/core/protocol/pick-source'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { libraryOnly, profileQuery, sourcesQuery } from '../../api/queries.ts'

/** The chosen source; until one is chosen, the user's preference, or what works in its place. */
export function usePreferredSource(userId: string) {
  const [chosen, chooseSource] = useState<Source | null>(null)
  const { data: sources = libraryOnly } = useQuery(sourcesQuery)
  const { data: profile } = useQuery(profileQuery(userId))
  const source = chosen ?? pickSource(sources, profile?.preferred_source)
  return { source, sources, chooseSource }
}
