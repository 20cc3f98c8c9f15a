import { expect, it } from 'vitest'
import type { SourceStatus } from '@earshot/core/protocol/entities'
import { pickSource } from './queries.ts'

const status = (source: SourceStatus['source'], available: boolean): SourceStatus => ({
  source,
  available,
  reason: null,
})

it('picks the preferred source, or another one that is available', () => {
  const sources = [status('spotify', false), status('youtube', true), status('library', true)]
  expect(pickSource(sources, 'library')).toBe('library')
  expect(pickSource(sources, 'spotify')).toBe('youtube')
  expect(pickSource(sources, undefined)).toBe('youtube')
  expect(pickSource([status('youtube', false)], 'youtube')).toBe('library')
})
