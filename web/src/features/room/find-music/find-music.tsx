import type { Source, SourceStatus, Track } from '@earshot/core/protocol/entities'
import type { SearchQuota } from '@earshot/core/protocol/providers'
import { useQuery } from '@tanstack/react-query'
import { limits } from '@earshot/core/limits'
import { useEffect } from 'react'
import { spotifyQuery, youtubeQuery } from '../../../api/provider-queries.ts'
import { libraryOnly, sourcesQuery, pickSource } from '../../../api/queries.ts'
import { findMusic as texts } from '../../../texts/find-music.ts'
import { Card } from '../../../ui/card.tsx'
import { onDemand } from '../../../ui/loading/on-demand.tsx'
import { useNow } from '../../../ui/page/use-now.ts'
import { useDraft } from '../use-draft.tsx'
import { useRoomState } from '../use-room.ts'
import { useMusicHistory } from './library/music-history.ts'
import type { LinkResultsProps } from './link-results.tsx'
import { MusicResults } from './music-results.tsx'
import { MusicSearch } from './music-search.tsx'
import { readPastedLinks } from './pasted-link.ts'
import { ResultSkeletons } from './result-item.tsx'
import { searchAccess, type SearchAccess } from './search-access.ts'
import { SourceToggle } from './source-toggle.tsx'

const LinkResults = onDemand<LinkResultsProps>(
  async () => (await import('./link-results.tsx')).LinkResults,
  <ResultSkeletons count={1} />,
)

/** Searches one source, browses the library, or opens a pasted link; one click calls `onAdd` (2.26). */
export function FindMusic({ onAdd }: { onAdd: (track: Track) => void }) {
  const { data: sources = libraryOnly } = useQuery(sourcesQuery)
  const preferred = useRoomState((state) => state.room?.preferred_source ?? 'library')
  const [chosen, setChosen] = useDraft('source')
  const [typed, setTyped] = useDraft('search')
  const [searchText, setSearchText] = useDraft('searched')
  const [, setPreview] = useDraft('preview')
  const source = sources.find((each) => each.source === chosen)?.source ?? pickSource(sources, preferred)
  const access = useSearchAccess(sources.find((each) => each.source === source))
  const links = readPastedLinks(searchText)
  useMusicHistory()
  useTypedSearch(typed, source === 'library', setSearchText)
  const leaveSearch = () => {
    setTyped('')
    setSearchText('')
  }
  return (
    <Card title={texts.title} isTitleHidden>
      <SourceToggle
        sources={sources}
        value={source}
        onChange={(next) => {
          setChosen(next)
          leaveSearch()
        }}
      />
      <MusicSearch
        source={source}
        takesOnlyLinks={takesOnlyLinks(access, source)}
        typed={typed}
        onType={setTyped}
        hasResults={searchText !== ''}
        onSearch={(next) => {
          setSearchText(next)
          const [link = '', ...others] = readPastedLinks(next)
          // A preview would hide the others.
          setPreview(others.length === 0 ? link : '')
        }}
      />
      {source === 'youtube' && <SearchesLeft />}
      {links.length === 0 ? (
        <MusicResults
          source={source}
          searchText={searchText}
          access={access}
          onAdd={onAdd}
          onLeaveSearch={leaveSearch}
        />
      ) : (
        <LinkResults urls={links} onAdd={onAdd} />
      )}
    </Card>
  )
}

function useSearchAccess(status: SourceStatus | undefined): SearchAccess {
  const nowMs = useNow()
  const { data: spotify } = useQuery({ ...spotifyQuery, enabled: status?.source === 'spotify' })
  return searchAccess(status, spotify, nowMs)
}

/** Guests cannot hear Spotify, so they are asked for no links of it. */
const takesOnlyLinks = ({ kind }: SearchAccess, source: Source): boolean =>
  kind === 'links_only' || (kind === 'account_required' && source !== 'spotify')

/** The day's searches of the YouTube key in use. */
function SearchesLeft() {
  const { data: connection } = useQuery(youtubeQuery)
  return connection?.quota ? <QuotaMeter quota={connection.quota} /> : null
}

function QuotaMeter({ quota: { used, limit } }: { quota: SearchQuota }) {
  const left = Math.max(0, limit - used)
  return (
    <div className="mt-2 px-1">
      <p className="text-xs text-ink-muted">{texts.searchesLeft(left, limit)}</p>
      <span aria-hidden className="mt-1.5 block h-1 overflow-hidden rounded-full bg-raised">
        <span
          className={`block h-full rounded-full ${left * 5 < limit ? 'bg-caution' : 'bg-video'}`}
          style={{ width: `${(100 * left) / limit}%` }}
        />
      </span>
    </div>
  )
}

/** Long enough to span the keys of a word, short enough to feel immediate. */
const typingPauseMs = 200

/** Searches for what was typed once the typing pauses. A pasted link waits for Enter. */
function useTypedSearch(typed: string, isActive: boolean, onSearch: (searchText: string) => void): void {
  useEffect(() => {
    const searchText = typed.trim().slice(0, limits.searchQueryMaxLength)
    if (!isActive || searchText === '' || readPastedLinks(searchText).length > 0) return
    const timer = setTimeout(() => onSearch(searchText), typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed, isActive, onSearch])
}
