import { expect, it } from 'vitest'
import { describeDatabases } from '../../test/databases.ts'
import { insertSession } from '../../test/sign-in.ts'
import { newId } from '../ids.ts'
import { findUserByAnyName } from './users.ts'

const secret = 'a secret of the tests, which is long enough'

describeDatabases('a user whom the operator names', (open) => {
  it('15.80 is found by id before name: nobody is taken for the one whose id they made their name', async () => {
    const db = await open()
    // In both orders, since a database returns rows in any.
    const early = await insertSession(db, secret, { name: `early ${newId()}` })
    const inner = await insertSession(db, secret, { name: early.id })
    const email = `late@${newId()}.example`
    const thief = await insertSession(db, secret, { name: email, email: `thief@${newId()}.example` })
    expect((await findUserByAnyName(db, early.id))?.id).toBe(early.id)
    expect((await findUserByAnyName(db, inner.email))?.id).toBe(inner.id)
    expect((await findUserByAnyName(db, early.name.toUpperCase()))?.id).toBe(early.id)
    // Nobody has the email yet.
    expect(await findUserByAnyName(db, email)).toBeNull()
    expect((await findUserByAnyName(db, thief.id))?.id).toBe(thief.id)
  })
})
