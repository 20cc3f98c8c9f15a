import { AppError } from '@earshot/core/protocol/errors'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { signOutElsewhere } from '../../api/password.ts'
import { answerAuth, answerCalls } from '../../testing/contract-network.ts'
import { renderApp } from '../../testing/render-app.tsx'
import { makeProfile, makeSession, makeSources } from '../../testing/samples.ts'
import { answerProfileCalls, openProfile, region } from './testing/open-profile.ts'

beforeEach(() => answerProfileCalls({ totalRoomsCreated: 3, totalPlaytime: 125, favoriteService: 'youtube' }))

describe('the account', () => {
  it('2.31a, 2.5 signed out, it goes to login with a message, and comes back afterwards', async () => {
    const { pathname } = await renderApp({ path: '/profile' })
    await screen.findByText('Please sign in to view your profile')
    await waitFor(() => expect(pathname()).toBe('/login'))
    answerAuth({
      'POST /api/auth/sign-in/email': () => {
        answerAuth({ 'GET /api/auth/get-session': () => Response.json(makeSession()) })
        return Response.json({ token: 't', user: makeSession().user })
      },
    })
    fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'ann@example.org' } })
    fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret-1' } })
    fireEvent.click(screen.getByRole('button', { name: 'Sign In' }))
    await waitFor(() => expect(pathname()).toBe('/profile'))
  })

  it('2.31b shows the name and the email, and logs out to home', async () => {
    answerAuth({
      'POST /api/auth/sign-out': () => {
        answerAuth({ 'GET /api/auth/get-session': () => Response.json(null) })
        return Response.json({ success: true })
      },
    })
    const { pathname } = await openProfile()
    const account = await region('Your Account')
    expect(account.getByText('ann')).toBeDefined()
    expect(account.getByText('ann@example.org')).toBeDefined()
    fireEvent.click(account.getByRole('button', { name: 'Log Out' }))
    await waitFor(() => expect(pathname()).toBe('/'))
    expect(screen.queryByText('Please sign in to view your profile')).toBeNull()
  })

  it('4.24, 8.11c the name is edited and saved, in the profile and in the account', async () => {
    const saved: unknown[] = []
    answerCalls({
      'PATCH /api/profile': ({ body }) => {
        saved.push(body)
        return { profile: makeProfile({ username: 'Anna' }) }
      },
    })
    answerAuth({
      'POST /api/auth/update-user': ({ body }) => {
        saved.push(body)
        return Response.json({ status: true })
      },
    })
    await openProfile()
    const account = await region('Your Account')
    fireEvent.click(account.getByRole('button', { name: 'Edit your display name' }))
    fireEvent.change(account.getByLabelText('Display Name'), { target: { value: '  Anna ' } })
    fireEvent.click(account.getByRole('button', { name: 'Save' }))
    await screen.findByText('Profile updated')
    expect(saved).toEqual([{ username: 'Anna' }, { name: 'Anna' }])
    await account.findByText('Anna')
    expect(document.activeElement).toBe(account.getByRole('button', { name: 'Edit your display name' }))
  })

  it('2.31a, 17.187 where the session was ended elsewhere, saving says so and leads to login', async () => {
    answerCalls({
      'PATCH /api/profile': () => {
        throw new AppError('unauthenticated')
      },
    })
    const { location } = await openProfile()
    const account = await region('Your Account')
    fireEvent.click(account.getByRole('button', { name: 'Edit your display name' }))
    answerAuth({ 'GET /api/auth/get-session': () => Response.json(null) })
    fireEvent.click(account.getByRole('button', { name: 'Save' }))
    await screen.findByText('Your session has ended')
    await waitFor(() => expect(location()).toMatchObject({ pathname: '/login', state: { from: '/profile' } }))
  })

  it('2.31a, 17.187 also where the sign-in library is refused', async () => {
    answerAuth({
      'POST /api/auth/revoke-other-sessions': () => Response.json({ code: 'UNAUTHORIZED' }, { status: 401 }),
    })
    const { pathname } = await openProfile()
    await region('Your Account')
    answerAuth({ 'GET /api/auth/get-session': () => Response.json(null) })
    await signOutElsewhere()
    await screen.findByText('Your session has ended')
    await waitFor(() => expect(pathname()).toBe('/login'))
  })

  it('17.482 Escape ends the editing of the name, which stays as it was', async () => {
    await openProfile()
    const account = await region('Your Account')
    const edit = () => account.getByRole('button', { name: 'Edit your display name' })
    fireEvent.click(edit())
    const field = account.getByLabelText('Display Name')
    fireEvent.change(field, { target: { value: 'Anna' } })
    fireEvent.keyDown(field, { key: 'Escape' })
    expect(account.getByText('ann')).toBeDefined()
    expect(document.activeElement).toBe(edit())
  })

  it('8.11c a name that cannot be saved stays in the field', async () => {
    answerCalls({
      'PATCH /api/profile': () => {
        throw new AppError('unavailable')
      },
    })
    await openProfile()
    const account = await region('Your Account')
    fireEvent.click(account.getByRole('button', { name: 'Edit your display name' }))
    const field = account.getByLabelText('Display Name')
    fireEvent.change(field, { target: { value: '   ' } })
    fireEvent.click(account.getByRole('button', { name: 'Save' }))
    expect(account.getByText('Display name is required')).toBeDefined()
    fireEvent.change(field, { target: { value: 'Anna' } })
    fireEvent.click(account.getByRole('button', { name: 'Save' }))
    await screen.findByText('Error updating profile')
    expect(screen.getByText('The server is not available right now.')).toBeDefined()
    expect(account.getByDisplayValue('Anna')).toBe(field)
    fireEvent.click(account.getByRole('button', { name: 'Cancel' }))
    expect(account.getByText('ann')).toBeDefined()
  })

  it('a profile that cannot be loaded is tried again', async () => {
    answerCalls({
      'GET /api/profile': () => {
        throw new AppError('internal')
      },
    })
    await openProfile()
    await screen.findByText('Your profile could not be loaded')
    answerCalls({ 'GET /api/profile': () => ({ profile: makeProfile() }) })
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect((await region('Your Account')).getByText('ann')).toBeDefined()
  })
})

describe('the statistics', () => {
  it('2.32 shows rooms, time and favourite', async () => {
    await openProfile()
    const card = await region('Your Stats')
    await card.findByText('2h 5m')
    expect(card.getByText('Rooms Created')).toBeDefined()
    expect(card.getByText('Total Listening Time')).toBeDefined()
    expect(card.getByText('Favorite Service')).toBeDefined()
    expect(card.getByText('3')).toBeDefined()
    expect(card.getByText('YouTube')).toBeDefined()
  })

  it('2.32 a new account has none yet, and failing figures do not hide the rest', async () => {
    answerCalls({
      'GET /api/profile/stats': () => ({
        stats: { totalRoomsCreated: 0, totalPlaytime: 0, favoriteService: null },
      }),
    })
    const { unmount } = await openProfile()
    await (await region('Your Stats')).findByText('0h 0m')
    expect(screen.getByText('None yet')).toBeDefined()
    unmount()
    answerCalls({
      'GET /api/profile/stats': () => {
        throw new AppError('internal')
      },
    })
    await openProfile()
    await screen.findByText('Your stats could not be loaded')
    await region('Your Account')
  })
})

const nameOf = (radio: HTMLElement): string | null => radio.getAttribute('value')

describe('preferences', () => {
  it('2.34, 8.13 switches the default source, and back where saving fails', async () => {
    answerCalls({
      'GET /api/sources': () => ({ sources: makeSources({ spotify: true }) }),
      'PATCH /api/profile': ({ body }) => ({ profile: makeProfile(body as object) }),
    })
    await openProfile()
    const card = await region('Music Preferences')
    expect(await card.findByText('Default Music Source:')).toBeDefined()
    fireEvent.click(card.getByRole('radio', { name: /^Spotify/ }))
    await screen.findByText('Preference Updated')
    expect(screen.getByText('Default music source set to Spotify')).toBeDefined()
    expect(card.getByRole('radio', { name: /^Spotify/ })).toHaveProperty('checked', true)

    answerCalls({
      'PATCH /api/profile': () => {
        throw new AppError('unavailable')
      },
    })
    fireEvent.click(card.getByRole('radio', { name: /^Library/ }))
    await screen.findByText('Error updating profile')
    await waitFor(() => expect(card.getByRole('radio', { name: /^Spotify/ })).toHaveProperty('checked', true))
  })

  it('17.480 a preference that was saved replaces the notice about the attempt before', async () => {
    answerCalls({ 'PATCH /api/profile': () => Promise.reject(new AppError('unavailable')) })
    await openProfile()
    const card = await region('Music Preferences')
    const offer = card.getByRole('switch', { name: 'Offer tracks I cannot play in another source' })
    fireEvent.click(offer)
    await screen.findByText('Error updating profile')
    answerCalls({ 'PATCH /api/profile': ({ body }) => ({ profile: makeProfile(body as object) }) })
    fireEvent.click(offer)
    await screen.findByText('Preference Updated')
    // Not waited for: it would be over by itself.
    expect(screen.queryByText('Error updating profile')).toBeNull()
  })

  it('17.66 offers as the default only what works on this server, and what was chosen before', async () => {
    answerCalls({
      'GET /api/sources': () => ({ sources: makeSources({ youtube: true }) }),
      'GET /api/profile': () => ({ profile: makeProfile({ preferred_source: 'library' }) }),
    })
    const { unmount } = await openProfile()
    const sources = async () => (await (await region('Music Preferences')).findAllByRole('radio')).map(nameOf)
    expect(await sources()).toEqual(['youtube', 'library'])
    unmount()
    answerCalls({ 'GET /api/profile': () => ({ profile: makeProfile({ preferred_source: 'spotify' }) }) })
    await openProfile()
    expect(await sources()).toEqual(['spotify', 'youtube', 'library'])
    expect(screen.getByText('Not set up on this server')).toBeDefined()
  })

  it('15.10 the offer of tracks in another source is off, and one switch turns it on', async () => {
    const asked: unknown[] = []
    answerCalls({
      'PATCH /api/profile': ({ body }) => {
        asked.push(body)
        return { profile: makeProfile(body as object) }
      },
    })
    await openProfile()
    const card = await region('Music Preferences')
    const offer = card.getByRole('switch', { name: 'Offer tracks I cannot play in another source' })
    expect(offer).toHaveProperty('checked', false)
    fireEvent.click(offer)
    await screen.findByText('Preference Updated')
    expect(offer).toHaveProperty('checked', true)
    expect(asked).toEqual([{ match_elsewhere: true }])
  })

  it('15.83 a choice that is saved never shows the earlier one in between', async () => {
    answerCalls({
      'PATCH /api/profile': ({ body }) => ({ profile: makeProfile(body as object) }),
    })
    await openProfile()
    const card = await region('Music Preferences')
    const offer = card.getByRole('switch', { name: 'Offer tracks I cannot play in another source' })
    const shown: (string | null)[] = []
    const observer = new MutationObserver(() => shown.push(offer.getAttribute('aria-checked')))
    observer.observe(offer, { attributeFilter: ['aria-checked'] })
    fireEvent.click(offer)
    await screen.findByText('Preference Updated')
    expect(shown).toEqual(['true'])
    observer.disconnect()
  })
})
