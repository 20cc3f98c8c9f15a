import type { Language } from '@earshot/core/protocol/languages'

export const language: Language = 'de'

export const locale = 'de'
