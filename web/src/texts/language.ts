import type { Language } from '@earshot/core/protocol/languages'

/** The language of the page. Every language has such a file, and each build of the page contains its own. */
export const language: Language = 'en'

/** For `Intl`. */
export const locale: string = 'en'
