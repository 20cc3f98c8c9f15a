import { serverError } from '@earshot/provider-doubles/faults'
import type { SpotifyDouble } from '@earshot/provider-doubles/spotify/spotify-double'
import { rateLimited } from '@earshot/provider-doubles/spotify/spotify-faults'
import { expect, it } from 'vitest'
import { describeDatabases } from '../../../../test/databases.ts'
import { captureLog } from '../../../../test/log.ts'
import { insertSession } from '../../../../test/sign-in.ts'
import { systemClock } from '../../../clock/server-clock.ts'
import { createTextSealer } from '../../../crypto/text-sealer.ts'
import { type Db, openDatabase } from '../../../db/database.ts'
import { deleteSpotifyAccount } from '../../../db/spotify-accounts.ts'
import { type AccessTokens, createAccessTokens } from './access-tokens.ts'
import { createStoredAccounts, type StoredAccounts } from './stored-accounts.ts'
import { startDouble } from '../testing/spotify-app.ts'
import { createTokenEndpoint, type SpotifyTokens } from './token-endpoint.ts'

const secret = 'a secret that only these tests know'
const newSecret = 'the secret that came after it, long enough'

interface Process {
  accounts: StoredAccounts
  tokens: AccessTokens
  lines: { msg: string }[]
}

/** The parts of one server process. */
function openProcess(
  db: Db,
  double: SpotifyDouble,
  secrets: [string, ...string[]] = [secret],
  waitMs?: number,
): Process {
  const { logger, lines } = captureLog()
  const [current, ...previousSecrets] = secrets
  const sealer = createTextSealer({ secret: current, previousSecrets, purpose: 'spotify-tokens' })
  const clock = systemClock
  const accounts = createStoredAccounts({ db, clock, sealer })
  const { accountsUrl, app: credentials } = double
  const endpoint = createTokenEndpoint({ accountsUrl, credentials, clock })
  return { accounts, tokens: createAccessTokens({ db, clock, logger, accounts, endpoint, waitMs }), lines }
}

/** Consents at the double, without a page. Access tokens are those of a refresh. */
async function consentAt(double: SpotifyDouble): Promise<SpotifyTokens> {
  const redirectUri = 'http://127.0.0.1:3000/callback'
  const url = new URL(`${double.accountsUrl}/authorize`)
  const { clientId, clientSecret } = double.app
  url.search = String(
    new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      show_dialog: 'true',
    }),
  )
  const code = new URL(await double.control.consentTo(url.href)).searchParams.get('code') ?? ''
  const answer = await fetch(`${double.accountsUrl}/api/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: clientId,
      client_secret: clientSecret,
    }),
  })
  const { access_token, refresh_token } = (await answer.json()) as {
    access_token: string
    refresh_token: string
  }
  return { access_token, refresh_token, expires_at: systemClock.now() + 3_600_000 }
}

const refreshesOf = ({ calls }: SpotifyDouble): number =>
  calls.filter(({ path, body }) => path === '/api/token' && body.includes('grant_type=refresh_token')).length

describeDatabases('access tokens', (open, make) => {
  /** A user whose token has expired. */
  async function start() {
    const double = await startDouble()
    const db = await open()
    const { id: userId } = await insertSession(db, secret, { name: 'ann' })
    const process = openProcess(db, double)
    const consented = await consentAt(double)
    const store = (changes: Partial<SpotifyTokens> = {}) =>
      process.accounts.store(userId, { tokens: { ...consented, ...changes }, displayName: null })
    await store({ expires_at: systemClock.now() + 30_000 })
    return { double, db, userId, consented, store, ...process }
  }
  const connectedFlag = async (db: Db, userId: string): Promise<unknown> =>
    (await db.selectFrom('profiles').select('spotify_connected').where('id', '=', userId).executeTakeFirst())
      ?.spotify_connected

  it('15.1 are refreshed a minute before they expire, and not earlier', async () => {
    const { double, tokens, userId, consented, store } = await start()
    const { access_token } = await tokens.get(userId)
    expect(access_token).not.toBe(consented.access_token)
    expect((await tokens.get(userId)).access_token).toBe(access_token)
    expect(refreshesOf(double)).toBe(1)
    await store({ expires_at: systemClock.now() + 90_000 })
    expect((await tokens.get(userId)).access_token).toBe(consented.access_token)
    // Spotify refused it before its time.
    expect((await tokens.get(userId, consented.access_token)).access_token).not.toBe(consented.access_token)
    expect(refreshesOf(double)).toBe(2)
  })

  it('15.1 are refreshed once, however many ask in several processes, and with rotation', async () => {
    const options = await make()
    const [db, otherDb] = [await openDatabase(options), await openDatabase(options)]
    try {
      const double = await startDouble()
      double.control.accounts.rotation = 'always'
      double.control.fail('POST /api/token', { delayMs: 300 })
      const { id: userId } = await insertSession(db, secret, { name: 'ann' })
      const processes = [openProcess(db, double), openProcess(otherDb, double)] as const
      const consented = await consentAt(double)
      await processes[0].accounts.store(userId, {
        tokens: { ...consented, expires_at: 0 },
        displayName: null,
      })
      for (let round = 1; round <= 3; round += 1) {
        const all = Array.from({ length: 10 }, (_, index) => processes[index % 2 === 0 ? 0 : 1].tokens)
        const found = await Promise.all(all.map((tokens) => tokens.get(userId)))
        expect(new Set(found.map((each) => each.access_token)).size).toBe(1)
        expect(refreshesOf(double)).toBe(round)
        await processes[0].accounts.store(userId, {
          tokens: { ...found[0]!, expires_at: 0 },
          displayName: null,
        })
      }
    } finally {
      await Promise.all([db.destroy(), otherDb.destroy()])
    }
  })

  it.each([
    ['an error', serverError, { code: 'provider_failed' }],
    ['a broken connection', { hangUp: true }, { code: 'provider_failed' }],
    ['refused credentials', { status: 400, body: { error: 'invalid_client' } }, { code: 'provider_failed' }],
    ['a rate limit', rateLimited(7), { code: 'provider_limit', details: { retryAfterMs: 7_000 } }],
  ])('15.1 survive %s of a refresh, and the next one works at once', async (_, fault, refused) => {
    const { double, db, userId, consented, tokens, lines } = await start()
    double.control.fail('POST /api/token', fault)
    await expect(tokens.get(userId)).rejects.toMatchObject(refused)
    expect(lines.map(({ msg }) => msg)).toEqual([
      'Could not refresh a Spotify token; keeping it for the next request',
    ])
    double.control.clearFaults()
    expect((await tokens.get(userId)).access_token).not.toBe(consented.access_token)
    expect(await connectedFlag(db, userId)).toBe(1)
  })

  it('15.44 are kept where Spotify answers too late for the request, also when the old one is used up', async () => {
    const { double, db, userId } = await start()
    double.control.accounts.rotation = 'always'
    double.control.fail('POST /api/token', { delayMs: 300 }, 1)
    const { tokens } = openProcess(db, double, [secret], 20)
    await expect(tokens.get(userId)).rejects.toMatchObject({ code: 'provider_failed' })
    await expect
      .poll(async () => await tokens.get(userId).catch(() => null), { timeout: 20_000 })
      .not.toBeNull()
    expect(refreshesOf(double)).toBe(1)
  })

  it('7.7c, 15.1 end with the consent: they are discarded, and the user must connect again', async () => {
    const { double, db, userId, tokens, accounts, store } = await start()
    double.control.revokeConsent('premium-paula')
    await expect(tokens.get(userId)).rejects.toMatchObject({ code: 'must_reconnect' })
    expect(await accounts.find(userId)).toMatchObject({ usable: null })
    expect(await connectedFlag(db, userId)).toBe(0)
    const row = await db.selectFrom('spotify_accounts').selectAll().executeTakeFirst()
    expect(row).toMatchObject({ spotify_tokens: null, lease_id: null })
    await expect(tokens.get(userId)).rejects.toMatchObject({ code: 'must_reconnect' })
    expect(refreshesOf(double)).toBe(1)
    await store({ expires_at: systemClock.now() + 3_600_000 })
    expect(await tokens.get(userId)).toBeDefined()
  })

  it('7.7c, 15.1 are not stored for a user who disconnected during the refresh', async () => {
    const { double, db, userId, tokens } = await start()
    const disconnected = Promise.withResolvers<void>()
    double.control.fail('POST /api/token', { until: disconnected.promise })
    const late = tokens.get(userId)
    await expect.poll(() => refreshesOf(double)).toBe(1)
    await deleteSpotifyAccount(db, userId)
    disconnected.resolve()
    await expect(late).rejects.toMatchObject({ code: 'not_connected' })
    expect(await db.selectFrom('spotify_accounts').selectAll().execute()).toEqual([])
    expect(await connectedFlag(db, userId)).toBe(0)
  })

  it('15.1 are refreshed by another process when the one that began was killed', async () => {
    const { double, db, userId, tokens } = await start()
    await db
      .updateTable('spotify_accounts')
      .set({ lease_id: 'of a killed process', lease_until: Math.round(systemClock.now() + 700) })
      .execute()
    expect(await tokens.get(userId)).toBeDefined()
    expect(refreshesOf(double)).toBe(1)
  })

  it('3.6b, 15.3 are sealed again after the secret was replaced, and lost without the old one', async () => {
    const { double, db, userId, consented, store } = await start()
    await store()
    const readSealed = async () =>
      (await db.selectFrom('spotify_accounts').select('spotify_tokens').executeTakeFirstOrThrow())
        .spotify_tokens
    const before = await readSealed()
    await expect(openProcess(db, double, [newSecret]).tokens.get(userId)).rejects.toMatchObject({
      code: 'must_reconnect',
    })
    expect(await readSealed()).toBe(before)
    const rotated = openProcess(db, double, [newSecret, secret])
    expect((await rotated.tokens.get(userId)).access_token).toBe(consented.access_token)
    expect(await readSealed()).not.toBe(before)
    const later = openProcess(db, double, [newSecret])
    expect((await later.tokens.get(userId)).access_token).toBe(consented.access_token)
    for (const token of [consented.access_token, consented.refresh_token])
      expect(await readSealed()).not.toContain(token)
  })
})
