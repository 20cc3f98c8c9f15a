import type { Language } from '@earshot/core/protocol/languages'

export const language: Language = 'ar'

/** With Latin digits, as in the times of tracks. */
export const locale = 'ar-u-nu-latn'
