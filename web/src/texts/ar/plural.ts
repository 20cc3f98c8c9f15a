import { pluralsOf } from '@earshot/core/plurals'
import { locale } from './language.ts'

export const plural = pluralsOf<'zero' | 'one' | 'two' | 'few' | 'many'>(locale)
