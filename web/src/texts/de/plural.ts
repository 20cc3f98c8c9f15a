import { pluralsOf } from '@earshot/core/plurals'
import { locale } from './language.ts'

export const plural = pluralsOf<'one'>(locale)
