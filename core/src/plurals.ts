/**
 * Returns a function that picks a message by the plural form of its number, and puts the number in the place of `#`. All
 * forms that the language has besides `other` must be named: `pluralsOf<'one'>('de')`.
 */
export function pluralsOf<Form extends Intl.LDMLPluralRule>(
  locale: string,
): (count: number, messages: Readonly<Record<Form | 'other', string>>) => string {
  const rules = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  return (count, messages) => {
    const forms: Partial<Record<Intl.LDMLPluralRule, string>> & { other: string } = messages
    return (forms[rules.select(count)] ?? forms.other).replace('#', numbers.format(count))
  }
}
