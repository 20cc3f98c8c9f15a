import type { Track } from '@earshot/core/protocol/entities'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, Disc3, MicVocal } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { lettersQuery, recentAlbumsQuery } from '../../../../api/library-queries.ts'
import { library as texts } from '../../../../texts/library.ts'
import { Button } from '../../../../ui/controls/button.tsx'
import { Select } from '../../../../ui/controls/select.tsx'
import { AlbumList } from './album-list.tsx'
import { AlbumPage } from './album-page.tsx'
import { AlbumStrip } from './album-card.tsx'
import { ArtistList } from './artist-list.tsx'
import { ArtistPage } from './artist-page.tsx'
import { type LibraryPage, pageAt } from './library-path.ts'
import { RestOfList } from './list-states.tsx'
import { type LibraryPages, useLibrary } from './use-library.ts'

interface LibraryBrowserProps {
  onAdd: (track: Track) => void
  /** All tracks, under what is new. */
  children: ReactNode
}

/** The library's home with what is new, and its albums and artists, with a way back from each. */
export function LibraryBrowser({ onAdd, children }: LibraryBrowserProps) {
  const pages = useLibrary()
  const place = pageAt(pages.path)
  const [scrolledTo] = useState(() => new Map<string, number>())
  const region = useFocusOnChange(pages.path)
  return (
    <div ref={region} tabIndex={-1} className="mt-3 flex min-h-0 flex-1 flex-col outline-none">
      {place.kind === 'home' ? (
        <LibraryHome pages={pages}>{children}</LibraryHome>
      ) : (
        <>
          <PageBar place={place} pages={pages} />
          <LibraryPage place={place} pages={pages} scrolledTo={scrolledTo} onAdd={onAdd} />
        </>
      )}
    </div>
  )
}

/** Moves the focus to the page that was opened: what was pressed to open it is gone. */
function useFocusOnChange(path: string) {
  const region = useRef<HTMLDivElement>(null)
  const shownPath = useRef(path)
  useEffect(() => {
    if (shownPath.current === path) return
    shownPath.current = path
    region.current?.focus({ preventScroll: true })
  }, [path])
  return region
}

interface LibraryPageProps {
  place: Exclude<LibraryPage, { kind: 'home' }>
  pages: LibraryPages
  scrolledTo: Map<string, number>
  onAdd: (track: Track) => void
}

function LibraryPage({ place, pages, scrolledTo, onAdd }: LibraryPageProps) {
  switch (place.kind) {
    case 'albums':
      return <AlbumList from={place.from} pages={pages} scrolledTo={scrolledTo} />
    case 'artists':
      return <ArtistList from={place.from} pages={pages} scrolledTo={scrolledTo} />
    case 'album':
      return <AlbumPage key={place.id} albumId={place.id} pages={pages} onAdd={onAdd} />
    case 'artist':
      return <ArtistPage key={place.id} artistId={place.id} pages={pages} onAdd={onAdd} />
  }
}

function PageBar({ place, pages }: Pick<LibraryPageProps, 'place' | 'pages'>) {
  return (
    <div className="mb-1 flex min-h-11 items-center justify-between gap-3">
      <Button size="sm" tone="quiet" className="-ms-3" onClick={pages.back}>
        <ChevronLeft aria-hidden className="size-4 rtl:rotate-180" />
        {texts.back}
      </Button>
      {(place.kind === 'albums' || place.kind === 'artists') && (
        <>
          <h3 className="min-w-0 flex-1 truncate text-sm font-semibold">{texts[place.kind]}</h3>
          <LetterJump
            of={place.kind}
            value={place.from}
            onChange={(from) => pages.replace({ ...place, from })}
          />
        </>
      )}
    </div>
  )
}

function LibraryHome({ pages, children }: { pages: LibraryPages; children: ReactNode }) {
  const { data, isPending, isError, refetch } = useQuery(recentAlbumsQuery)
  return (
    <>
      <nav aria-label={texts.title} className="flex gap-2">
        <Button size="sm" className="flex-1" onClick={() => pages.open({ kind: 'albums', from: '' })}>
          <Disc3 aria-hidden className="size-4" />
          {texts.albums}
        </Button>
        <Button size="sm" className="flex-1" onClick={() => pages.open({ kind: 'artists', from: '' })}>
          <MicVocal aria-hidden className="size-4" />
          {texts.artists}
        </Button>
      </nav>
      <AlbumStrip
        albums={isPending ? null : (data?.albums ?? [])}
        heading={texts.recent}
        onOpen={({ id }) => pages.open({ kind: 'album', id })}
      />
      <RestOfList
        isFetching={false}
        isFailed={isError && !data}
        text={texts.recentFailed}
        onRetry={() => void refetch()}
      />
      {children}
    </>
  )
}

interface LetterJumpProps {
  of: 'albums' | 'artists'
  /** Empty: from the start. */
  value: string
  onChange: (from: string) => void
}

/** Chooses the letter at which a list starts, of those that the library has, in any script. */
function LetterJump({ of, value, onChange }: LetterJumpProps) {
  const { data } = useQuery(lettersQuery(of))
  // The chosen one may be gone, or not loaded yet.
  const letters = new Set([...(data?.letters ?? []), ...(value === '' ? [] : [value])])
  return (
    <label className="flex items-center gap-2 text-xs text-ink-muted">
      <span className="slim:sr-only">{texts.jump}</span>
      <Select size="small" value={value} onChange={(event) => onChange(event.target.value)}>
        <option value="">{texts.fromStart}</option>
        {[...letters].map((letter) => (
          <option key={letter} value={letter}>
            {letter.toUpperCase()}
          </option>
        ))}
      </Select>
    </label>
  )
}
