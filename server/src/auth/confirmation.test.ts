import { createHmac, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startApp, type TestApp } from '../../test/apps.ts'
import { type Answer, ask } from '../../test/ask.ts'
import { describeDatabases } from '../../test/databases.ts'
import { makeFolder } from '../../test/folders.ts'
import { linkIn, startMailServer } from '../../test/mail-server.ts'
import { runCommand } from '../admin/run-command.ts'
import { openDatabase } from '../db/database.ts'
import { insertRoom } from '../db/rooms.ts'
import { openVersionWith } from '../db/testing/first-version.ts'
import { parseEnv } from '../env/env.ts'
import { initialPlaybackColumns } from '../rooms/store/stored-room.ts'
import { serverLimits } from '../server-limits.ts'

const password = 'correct horse'

const newEmail = (): string => `ann@${randomUUID()}.example`

function post(app: TestApp, path: string, body: unknown): Promise<Answer> {
  return ask(`${app.address}/api/auth${path}`, { method: 'POST', headers: { origin: app.address }, body })
}

const signUp = (app: TestApp, email: string) => post(app, '/sign-up/email', { email, password })
const signIn = (app: TestApp, email: string, given = password) =>
  post(app, '/sign-in/email', { email, password: given })

describeDatabases('accounts from before the mail', (_open, make) => {
  /** For servers that start one after the other on the same data. */
  const makeOptions = async () => {
    const { databaseUrl } = await make()
    return { dataDir: await makeFolder(), databaseUrl: databaseUrl ?? undefined }
  }

  it('16.178 sign in as before once there is mail, and stay unconfirmed; new ones must confirm', async () => {
    const options = await makeOptions()
    const before = await startApp(options)
    const [early, late] = [newEmail(), newEmail()]
    await signUp(before, early)
    await before.close()

    const { url, mails } = await startMailServer()
    const app = await startApp({ ...options, variables: { SMTP_URL: url } })
    expect((await signIn(app, early)).status).toBe(200)
    expect((await signIn(app, early.toUpperCase())).status).toBe(200)
    expect((await signIn(app, early, 'a wrong guess')).status).toBe(401)
    const { rows } = await sql<{ verified: unknown }>`select "emailVerified" as "verified" from "user"
      where "email" = ${early}`.execute(app.db)
    expect(Boolean(rows[0]?.verified)).toBe(false)

    await post(app, '/sign-up/email', { email: late, password, mustConfirm: false })
    expect((await signIn(app, late)).status).toBe(403)
    await vi.waitFor(() => expect(mails.length).toBeGreaterThan(0))
    expect(mails.every((mail) => mail.includes(`To: ${late}`))).toBe(true)
  })

  it('16.178 a command lets in an account that got no mail', async () => {
    const { url } = await startMailServer()
    const options = await makeOptions()
    const app = await startApp({ ...options, variables: { SMTP_URL: url } })
    const email = newEmail()
    await signUp(app, email)
    expect((await signIn(app, email)).status).toBe(403)
    const printed: string[] = []
    const code = await runCommand(['confirm', email], {
      readEnv: () => parseEnv({ DATA_DIR: options.dataDir, DATABASE_URL: options.databaseUrl }),
      cwd: '/',
      print: (line) => void printed.push(line),
      printError: (line) => void printed.push(line),
    })
    expect({ code, printed }).toEqual({
      code: 0,
      printed: [`ann (${email}) may sign in without confirming the address.`],
    })
    expect((await signIn(app, email)).status).toBe(200)
  })

  it('16.178 of the accounts of earlier versions, those must confirm that nobody ever used', async () => {
    const options = await make()
    const numbers = Array.from({ length: 23 }, (_, index) => String(index + 1).padStart(3, '0'))
    const earlier = await openVersionWith(options, numbers)
    const at = '2026-01-02T12:00:00.000Z'
    for (const [id, verified] of [
      ['confirmed', '1'],
      ['listened', '0'],
      ['pending', '0'],
      ['signed in', '0'],
      ['owner', '0'],
      ['admin', '0'],
    ] as const) {
      await sql`insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt")
        values (${id}, 'Name', ${id}, ${verified}, ${at}, ${at})`.execute(earlier)
    }
    await sql`insert into "session" ("id", "token", "userId", "expiresAt", "createdAt", "updatedAt")
      values ('s', 's', 'signed in', ${at}, ${at}, ${at})`.execute(earlier)
    await earlier
      .insertInto('listening_time')
      .values({ user_id: 'listened', library_ms: 1, spotify_ms: 0, youtube_ms: 0, counted_until: 1 })
      .execute()
    await sql`update "user" set "role" = 'admin' where "id" = 'admin'`.execute(earlier)
    const room = { id: 'room', name: 'Room', search_text: 'room', owner_id: 'owner', created_at: 1 }
    const rest = { is_public: 1, password: null, preferred_source: 'library', settings: '{}' }
    await insertRoom(earlier, { ...room, ...rest, ...initialPlaybackColumns(1) })
    await earlier.destroy()
    const db = await openDatabase(options)
    onTestFinished(() => db.destroy())
    const { rows } = await sql<{ id: string }>`select "id" from "user" where "mustConfirm" is true`.execute(
      db,
    )
    expect(rows).toEqual([{ id: 'pending' }])
  })
})

describe('the link of a confirmation mail', () => {
  it('16.179 leads to the page that says what came of it, and the mail names its hour', async () => {
    const { url, mails } = await startMailServer()
    const app = await startApp({ variables: { SMTP_URL: url } })
    const email = newEmail()
    await signUp(app, email)
    await vi.waitFor(() => expect(mails).toHaveLength(1))
    expect(mails[0]).toContain('within an hour')
    const link = new URL(linkIn(mails[0]))
    expect((await ask(link.href)).headers.get('location')).toBe('/login?confirmed=1')
    link.searchParams.set('token', makeExpired(app.secret, email))
    const expired = await ask(link.href)
    expect(expired.headers.get('location')).toBe('/login?confirmed=1&error=TOKEN_EXPIRED')
  })
})

/** A token of the library as it is an hour later. */
function makeExpired(secret: string, email: string): string {
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url')
  const exp = Math.floor(Date.now() / 1_000) - 1
  const signed = `${encode({ alg: 'HS256' })}.${encode({ email, iat: exp - 3_600, exp })}`
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

describe('a sign-up with the address of an account', () => {
  it('16.180 is answered like any other, and its owner gets a mail that says so, at most five in an hour', async () => {
    const { url, mails } = await startMailServer()
    const app = await startApp({ variables: { SMTP_URL: url } })
    const email = newEmail()
    const answers = [await signUp(app, email)]
    await vi.waitFor(() => expect(mails).toHaveLength(1))
    const points = serverLimits.mailsPerHour
    for (let count = 0; count <= points; count += 1) answers.push(await signUp(app, email.toUpperCase()))
    const shapes = answers.map(({ status, json }) => [status, Object.keys(json as object).toSorted()])
    expect(shapes).toEqual(shapes.map(() => shapes[0]))
    // The mails of a closing server are sent first.
    await app.close()
    expect(mails).toHaveLength(1 + points)
    for (const mail of mails.slice(1)) {
      expect(mail).toContain(`To: ${email}`)
      expect(mail).toContain('Subject: You already have an account')
      expect(linkIn(mail)).toBe(`${app.address}/login`)
    }
  })
})
