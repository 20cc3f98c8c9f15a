import { limits } from '@earshot/core/limits'
import { useEffect } from 'react'
import { readPastedLink } from './pasted-link.ts'

/** Long enough to span the keys of a word, short enough to feel immediate. */
const typingPauseMs = 200

/** Searches for what was typed once the typing pauses. A pasted link waits for Enter. */
export function useTypedSearch(typed: string, isActive: boolean, onSearch: (words: string) => void): void {
  useEffect(() => {
    const words = typed.trim().slice(0, limits.searchQueryMaxLength)
    if (!isActive || words === '' || readPastedLink(words) !== null) return
    const timer = setTimeout(() => onSearch(words), typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed, isActive, onSearch])
}
