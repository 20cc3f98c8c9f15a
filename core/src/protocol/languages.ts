import { findCookie } from './cookies.ts'

/** The languages of the page; the first is the one of its source. */
export const languages = ['en', 'de', 'ar'] as const

export type Language = (typeof languages)[number]

/** Each language by its own name. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  ar: 'العربية',
}

/** The cookie that holds the chosen language. The page sets it, so scripts can read it. */
export const languageCookie = 'language'

/** The direction of a language's script. */
export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

/** Names a language's variant of a file of the page: `index.de.html`. That of English has the plain name. */
export const fileOf = (file: string, language: Language): string =>
  language === languages[0] ? file : file.replace('.', `.${language}.`)

/**
 * Returns the language for a request: the one of its cookie, else the best of its `Accept-Language`, else English. Both
 * parameters are the values of the headers.
 */
export function chooseLanguage(cookies: string | undefined, accepted: string | undefined): Language {
  return chosenLanguage(cookies) ?? readAccepted(accepted ?? '') ?? languages[0]
}

/** Returns the language of a request's cookie, if it has one that the page has. */
export const chosenLanguage = (cookies: string | undefined): Language | undefined =>
  toLanguage(findCookie(cookies, languageCookie))

/** Reads the first language of the highest quality that the page has; `de-AT` counts as `de`. */
function readAccepted(accepted: string): Language | undefined {
  return accepted
    .slice(0, maxAcceptedLength)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
      return { language: toLanguage(tag.toLowerCase().split('-')[0]), quality: Number(quality ?? 1) }
    })
    .filter(({ language, quality }) => language !== undefined && quality > 0)
    .toSorted((one, other) => other.quality - one.quality)[0]?.language
}

const maxAcceptedLength = 1_000

const toLanguage = (text: string | null | undefined): Language | undefined =>
  languages.find((language) => language === text)
