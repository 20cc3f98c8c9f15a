import type { Track } from '@earshot/core/protocol/entities'
import { useQuery } from '@tanstack/react-query'
import { libraryOnly, sourcesQuery, pickSource } from '../../../api/queries.ts'
import { findMusic as texts } from '../../../texts.ts'
import { Card } from '../../../ui/card.tsx'
import { MusicResults } from './music-results.tsx'
import { MusicSearch } from './music-search.tsx'
import { SourceToggle } from './source-toggle.tsx'
import { useDraft } from '../use-draft.tsx'
import { useRoomState } from '../use-room.ts'

/** Searches one source or browses the library; one click calls `onAdd` (2.26). */
export function FindMusic({ onAdd }: { onAdd: (track: Track) => void }) {
  const { data: sources = libraryOnly } = useQuery(sourcesQuery)
  const preferred = useRoomState((state) => state.room?.preferred_source ?? 'library')
  const [chosen, setChosen] = useDraft('source')
  const [typed, setTyped] = useDraft('search')
  const [words, setWords] = useDraft('searched')
  const source = sources.find((each) => each.source === chosen)?.source ?? pickSource(sources, preferred)
  return (
    <Card title={texts.title}>
      <SourceToggle
        sources={sources}
        value={source}
        onChange={(next) => {
          setChosen(next)
          setTyped('')
          setWords('')
        }}
      />
      <MusicSearch
        source={source}
        typed={typed}
        onType={setTyped}
        hasResults={words !== ''}
        onSearch={setWords}
      />
      <MusicResults source={source} words={words} onAdd={onAdd} />
    </Card>
  )
}
