import { limits } from '@earshot/core/limits'
import type { Source } from '@earshot/core/protocol/entities'
import { Search } from 'lucide-react'
import type { FormEvent } from 'react'
import { sourceNames } from '../../../texts/common.ts'
import { findMusic as texts } from '../../../texts/find-music.ts'
import { LineField } from '../../../ui/controls/line-field.tsx'
import { notify } from '../../../ui/notices/notify.ts'
import { readPastedLinks } from './pasted-link.ts'
import { musicSearchId } from './focus-search.ts'

interface MusicSearchProps {
  source: Source
  /** The source cannot be searched, but takes pasted links. */
  takesOnlyLinks?: boolean
  /** The text in the field. */
  typed: string
  onType: (typed: string) => void
  hasResults: boolean
  /** Called with an empty string when the field is cleared. */
  onSearch: (searchText: string) => void
}

/** Searches, or opens a link, on Enter or the button; a blank query does nothing (5.5). */
export function MusicSearch(props: MusicSearchProps) {
  const { source, takesOnlyLinks = false, typed, onType, hasResults, onSearch } = props
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const searchText = typed.trim()
    if (searchText === '') return
    const links = readPastedLinks(searchText)
    // A search of its beginning would find nothing, and may be one of the few of the day.
    if (links.length === 0 && searchText.length > limits.searchQueryMaxLength)
      return notify({ kind: 'warning', title: texts.tooLong, text: texts.tooLongText })
    onSearch(links.length === 0 ? searchText : links.join(' '))
  }
  const type = (next: string) => {
    onType(next)
    if (next === '' && hasResults) onSearch('')
  }
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- browsers of 2023 do not know <search>
    <form role="search" aria-label={texts.searchLabel} onSubmit={submit}>
      <LineField
        id={musicSearchId}
        type="search"
        enterKeyHint="search"
        label={texts.searchLabel}
        aria-describedby={`${musicSearchId}-hint`}
        placeholder={takesOnlyLinks ? texts.linksOnlyPlaceholder(sourceNames[source]) : texts.placeholder}
        maxLength={linkMaxLength}
        value={typed}
        onChange={(event) => type(event.target.value)}
        className="[&::-webkit-search-cancel-button]:hidden"
        submit={{ label: texts.search, icon: <Search aria-hidden /> }}
      />
      <p id={`${musicSearchId}-hint`} className="mt-2 px-1 text-xs text-ink-muted">
        {takesOnlyLinks ? texts.linksOnly(sourceNames[source]) : texts.hint(sourceNames[source])}
      </p>
    </form>
  )
}

/** Links are longer than the words of a search. */
const linkMaxLength = 2_000
