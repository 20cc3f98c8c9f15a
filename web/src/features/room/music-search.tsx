import { limits } from '@earshot/core/limits'
import type { Source } from '@earshot/core/protocol/entities'
import { Search } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { findMusic as texts, sourceNames } from '../../texts.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { musicSearchId } from './focus-music-search.ts'

interface MusicSearchProps {
  source: Source
  hasResults: boolean
  /** Empty words go back to the library. */
  onSearch: (words: string) => void
}

/** Searches on Enter or the button; blank words do nothing (5.5). */
export function MusicSearch({ source, hasResults, onSearch }: MusicSearchProps) {
  const [typed, setTyped] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed.trim() !== '') onSearch(typed.trim())
  }
  const type = (next: string) => {
    setTyped(next)
    if (next === '' && hasResults) onSearch('')
  }
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- browsers of 2023 do not know <search>
    <form role="search" aria-label={texts.searchLabel} onSubmit={submit}>
      <div className="relative">
        <input
          id={musicSearchId}
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          aria-label={texts.searchLabel}
          aria-describedby={`${musicSearchId}-hint`}
          placeholder={texts.placeholder}
          maxLength={limits.searchQueryMaxLength}
          value={typed}
          onChange={(event) => type(event.target.value)}
          className="h-11 w-full rounded-full bg-page pr-12 pl-4.5 text-sm ring-1 ring-edge transition-shadow outline-none ring-inset placeholder:text-ink-muted focus-visible:ring-2 focus-visible:ring-brand-text [&::-webkit-search-cancel-button]:hidden"
        />
        <IconButton
          size="sm"
          type="submit"
          label={texts.search}
          title={texts.search}
          className="absolute top-1 right-1"
        >
          <Search aria-hidden />
        </IconButton>
      </div>
      <p id={`${musicSearchId}-hint`} className="mt-2 px-1 text-xs text-ink-muted">
        {texts.hint(sourceNames[source])}
      </p>
    </form>
  )
}
