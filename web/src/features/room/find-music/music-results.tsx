import type { Source } from '@earshot/core/protocol/entities'
import { useInfiniteQuery } from '@tanstack/react-query'
import { LibraryBig, Search, SearchX } from 'lucide-react'
import { libraryQuery, tracksQuery } from '../../../api/queries.ts'
import { findMusic as texts, sourceNames } from '../../../texts.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ResultList } from './result-list.tsx'
import { ResultSkeletons } from './result-skeletons.tsx'

interface MusicResultsProps {
  source: Source
  /** Empty while nothing was searched: the library shows as it stands. */
  words: string
}

export function MusicResults({ source, words }: MusicResultsProps) {
  if (words !== '') return <SearchResults source={source} words={words} />
  if (source === 'library') return <WholeLibrary />
  return <EmptyState icon={Search} title={texts.searchFirst(sourceNames[source])} />
}

function SearchResults({ source, words }: MusicResultsProps) {
  const query = useInfiniteQuery(tracksQuery(source, words))
  return (
    <ResultList heading={texts.results} query={query}>
      <EmptyState icon={SearchX} title={texts.noResults} text={texts.noResultsText} />
    </ResultList>
  )
}

function WholeLibrary() {
  const query = useInfiniteQuery(libraryQuery)
  const isScanning = query.data?.pages.some((page) => page.isScanning)
  return (
    <ResultList heading={texts.browse} query={query}>
      {isScanning ? (
        <ResultSkeletons />
      ) : (
        <EmptyState icon={LibraryBig} title={texts.emptyLibrary} text={texts.emptyLibraryText} />
      )}
    </ResultList>
  )
}
