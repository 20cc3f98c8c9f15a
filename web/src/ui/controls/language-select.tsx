import { languageCookie, languageNames, languages } from '@earshot/core/protocol/languages'
import { Languages } from 'lucide-react'
import { useId, type ChangeEvent, type FocusEvent, type KeyboardEvent } from 'react'
import { language } from '../../texts/language.ts'
import { languageChoice } from '../../texts/language-choice.ts'
import { joinClasses } from '../class-names.ts'
import { Select } from './select.tsx'

const yearS = 31_536_000

/** Stores the chosen language and reloads the page, of which the server has one build per language. */
function applyChoice({ value }: HTMLSelectElement): void {
  if (value === language) return
  document.cookie = `${languageCookie}=${value}; path=/; max-age=${yearS}; samesite=lax`
  location.reload()
}

/**
 * A change within this time of a key is its own, on a busy machine too: on most systems each arrow key changes a
 * closed select.
 */
const keyChangeMs = 500
let keyedAtMs = -Infinity

function onKeyDown(event: KeyboardEvent<HTMLSelectElement>): void {
  if (event.key === 'Enter') applyChoice(event.currentTarget)
  else keyedAtMs = performance.now()
}

/** The same of both selects. A choice from the list applies at once; one by keys applies with Enter or on leaving. */
const choice = {
  defaultValue: language,
  onKeyDown,
  onChange: ({ currentTarget }: ChangeEvent<HTMLSelectElement>) => {
    if (performance.now() - keyedAtMs > keyChangeMs) applyChoice(currentTarget)
  },
  onBlur: ({ currentTarget }: FocusEvent<HTMLSelectElement>) => applyChoice(currentTarget),
  children: languages.map((each) => (
    <option key={each} value={each} lang={each} className="bg-surface text-ink">
      {languageNames[each]}
    </option>
  )),
}

/** Chooses the page's language: a native select with its label. */
export function LanguageField() {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {languageChoice.label}
      </label>
      <p id={`${id}-hint`} className="mb-2 text-xs text-ink-muted">
        {languageChoice.hint}
      </p>
      <Select id={id} aria-describedby={`${id}-hint`} {...choice} />
    </div>
  )
}

/** The same choice as an icon. */
export function LanguageButton({ className }: { className?: string }) {
  return (
    <span
      title={languageChoice.label}
      className={joinClasses(
        'relative size-11 place-items-center rounded-full text-ink-muted transition-colors hover:bg-raised hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand-text',
        className ?? 'grid',
      )}
    >
      <Languages aria-hidden className="size-5" />
      <select
        aria-label={languageChoice.label}
        className="absolute inset-0 cursor-pointer opacity-0"
        {...choice}
      />
    </span>
  )
}
