import { AppError } from '@earshot/core/protocol/errors'
import { expect, it } from 'vitest'
import { errorTexts } from '../texts/errors.ts'
import { describeError } from './describe-error.ts'

it('8.11c a failed call is described by what the server refused, else by its code', () => {
  expect(describeError(new AppError('invalid_input', 'The name is too long'))).toBe('The name is too long')
  expect(describeError(new AppError('rate_limited', 'Too many calls'))).toBe(errorTexts.rate_limited)
  expect(describeError(new AppError('internal', 'stack'))).toBe(errorTexts.internal)
  expect(describeError(new TypeError('bug'), 'An unknown error occurred')).toBe('An unknown error occurred')
})
