import { httpApi } from '@earshot/core/protocol/http-api'
import { makeTrack } from '@earshot/core/testing/tracks'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { reduceTo } from './answer-fields.ts'

const schema = z.object({
  id: z.string(),
  owner: z.object({ name: z.string() }).nullable(),
  tags: z.array(z.object({ name: z.string(), rank: z.number().optional() })),
  note: z.string().nullish(),
  kind: z.discriminatedUnion('is', [
    z.object({ is: z.literal('track'), title: z.string() }),
    z.object({ is: z.literal('room') }),
  ]),
  counts: z.record(z.string(), z.number()),
})

it('15.58 an answer has the fields of the contract only, at every depth', () => {
  const answer = {
    id: 'a',
    password: 'hash',
    owner: { name: 'ann', email: 'ann@example.org' },
    tags: [{ name: 'loud', rank: 1, secret: true }, { name: 'new' }],
    note: null,
    kind: { is: 'track', title: 'One', path: '/music' },
    counts: { a: 1 },
  }
  const expected = {
    id: 'a',
    owner: { name: 'ann' },
    tags: [{ name: 'loud', rank: 1 }, { name: 'new' }],
    note: null,
    kind: { is: 'track', title: 'One' },
    counts: { a: 1 },
  }
  expect(reduceTo(schema)(answer)).toStrictEqual(expected)
  expect(reduceTo(schema)({ ...answer, owner: null, note: undefined })).toStrictEqual({
    id: 'a',
    owner: null,
    tags: expected.tags,
    kind: expected.kind,
    counts: expected.counts,
  })
})

it('15.58 what the contract checks when it encodes is the same', () => {
  const { response } = httpApi.searchTracks
  const tracks = ['t1', 't2'].map((id) => ({ ...makeTrack(id), path: 'private' }))
  const answer = { tracks, total: 2, nextOffset: null, isInternal: true }
  expect(reduceTo(response)(answer)).toStrictEqual(z.encode(response, answer))
})
