import { expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { findProfile, insertProfile, updateProfile } from './profiles.ts'

const ann = { id: 'u1', username: 'ann', avatarUrl: null, createdAtMs: 1_700_000_000_000.5 }
const fresh = {
  id: 'u1',
  username: 'ann',
  full_name: '',
  avatar_url: null,
  preferred_source: 'library',
  spotify_connected: false,
  match_elsewhere: false,
  youtube_connected: false,
}

describeDatabases('profiles', (open) => {
  it('3.6a, 7.7a start with a username and defaults', async () => {
    const db = await open()
    await insertProfile(db, ann)
    expect(await findProfile(db, 'u1')).toEqual(fresh)
    expect(await findProfile(db, 'u2')).toBeNull()
  })

  it('are inserted once: a second insert changes nothing', async () => {
    const db = await open()
    await insertProfile(db, ann)
    await insertProfile(db, { ...ann, username: 'other', avatarUrl: 'https://example.org/a.png' })
    expect(await findProfile(db, 'u1')).toEqual(fresh)
  })

  it('16.106 as many users as like have the same name: each gets a number after a bounded number of queries', async () => {
    const db = await open()
    const userCount = 60
    for (let index = 0; index < userCount; index += 1) {
      await insertProfile(db, { ...ann, id: `u${index}`, username: 'Guest' })
    }
    const rows = await db.selectFrom('profiles').select('username').execute()
    const names = new Set(rows.map(({ username }) => username))
    expect(names.size).toBe(userCount)
    expect([...names].filter((name) => !/^Guest( \d+)?$/.test(name))).toEqual([])
  })

  it('16.114 give a name that several users choose at once to one of them', async () => {
    const db = await open()
    const ids = ['u1', 'u2', 'u3', 'u4', 'u5']
    for (const id of ids) await insertProfile(db, { ...ann, id, username: id })
    const outcomes = await Promise.allSettled(ids.map((id) => updateProfile(db, id, { username: 'Ann' })))
    const reasons = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason)
    expect(reasons.map(({ code }: { code?: string }) => code)).toEqual(Array(4).fill('name_taken'))
  })

  it('7.7b are updated in the given fields only', async () => {
    const db = await open()
    await insertProfile(db, ann)
    await insertProfile(db, { ...ann, id: 'u2', username: 'bob' })
    const changed = { ...fresh, username: 'Anna', preferred_source: 'youtube' }
    expect(await updateProfile(db, 'u1', { username: 'Anna', preferred_source: 'youtube' })).toEqual(changed)
    expect(await updateProfile(db, 'u1', {})).toEqual(changed)
    expect(await findProfile(db, 'u2')).toMatchObject({ username: 'bob', preferred_source: 'library' })
    expect(await updateProfile(db, 'nobody', { username: 'x' })).toBeNull()
  })
})
