/**
 * The type of a translation of `English`: the same names, any text for each text, and functions of the same parameters.
 * Checked with `satisfies`, it makes a missing, an unknown and a wrong message a type error.
 */
export type Translated<English> = English extends string
  ? string
  : English extends (...parameters: infer Parameters) => infer Text
    ? (...parameters: Parameters) => Translated<Text>
    : English extends object
      ? { readonly [Name in keyof English]: Translated<English[Name]> }
      : English

/** Pairs texts with their translations, by name. */
export const pairTexts = <Name extends string>(
  english: Readonly<Record<Name, string>>,
  translated: Readonly<Record<Name, string>>,
): [english: string, translated: string][] =>
  Object.entries<string>(english).map(([name, text]) => [text, translated[name as Name]])
