import { AppError, toWireError } from '@earshot/core/protocol/errors'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, it } from 'vitest'
import { answerAuth, answerCalls, type Asked } from '../../testing/contract-network.ts'
import { sessionStore } from '../../testing/kept-session.ts'
import { renderApp, renderRoutes } from '../../testing/render-app.tsx'
import { makeConfig, makeSession, makeSources } from '../../testing/samples.ts'

const answerWith = (signUp: 'open' | 'invite' | 'closed', isValid = true) =>
  answerCalls({
    'GET /api/sources': () => ({ sources: makeSources() }),
    'GET /api/rooms': () => ({ rooms: [] }),
    'GET /api/config': () => makeConfig({ signUp }),
    'POST /api/invites/check': () => ({ isValid }),
  })

beforeEach(() => answerWith('open'))

it('16.30 closed: there is no form to sign up, and the page says why', async () => {
  answerWith('closed')
  await renderApp({ path: '/login' })
  await screen.findByText('This server accepts no new accounts.')
  expect(screen.queryByRole('tab', { name: 'Sign Up' })).toBeNull()
  screen.getByRole('button', { name: 'Sign In' })
})

it('16.30 by invitation: without an invite the page says so, and shows no form', async () => {
  answerWith('invite')
  await renderApp({ path: '/login' })
  fireEvent.click(await screen.findByRole('tab', { name: 'Sign Up' }))
  await screen.findByText(/Sign-up is by invitation/)
  expect(screen.queryByLabelText('Email')).toBeNull()
})

it('16.30 by invitation: the link opens the form, which sends the invite', async () => {
  answerWith('invite')
  const asked: Asked[] = []
  answerAuth({
    'POST /api/auth/sign-up/email': (call: Asked) => {
      asked.push(call)
      answerAuth({ 'GET /api/auth/get-session': () => Response.json(makeSession()) })
      return Response.json({ token: 't', user: makeSession().user })
    },
  })
  await renderApp({ path: '/login#invite=tok-1' })
  await screen.findByText('You are invited to this server. Create your account.')
  fireEvent.change(screen.getByLabelText('Email'), { target: { value: 'new@example.org' } })
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'correct horse' } })
  fireEvent.click(screen.getByRole('button', { name: 'Sign Up' }))
  await screen.findByText('Registration successful')
  expect(asked[0]?.body).toMatchObject({ email: 'new@example.org', invite: 'tok-1' })
})

it('16.30 by invitation: an invite that ended is said to have ended', async () => {
  answerWith('invite', false)
  await renderApp({ path: '/login#invite=tok-1' })
  await screen.findByText('This invitation is used up or has expired. Ask for a new one.')
  expect(screen.queryByLabelText('Email')).toBeNull()
})

it('17.305 who is a guest reads that the name stays, anybody else that it comes from the email', async () => {
  const { unmount } = await renderApp({ path: '/login' })
  fireEvent.click(await screen.findByRole('tab', { name: 'Sign Up' }))
  const fromEmail = 'Optional. Without one, others see the part of your email before the @.'
  expect(await screen.findByText(fromEmail)).toBeDefined()
  unmount()
  const { session, user } = makeSession()
  answerAuth({
    'GET /api/auth/get-session': () => Response.json({ session, user: { ...user, isAnonymous: true } }),
  })
  await sessionStore?.get().refetch()
  renderRoutes({ path: '/login' })
  fireEvent.click(await screen.findByRole('tab', { name: 'Sign Up' }))
  expect(await screen.findByText(/^Optional. Without one, you keep the name/)).toBeDefined()
  expect(screen.queryByText(fromEmail)).toBeNull()
})

it('17.348, 8.9b a sign-up beyond the limit says how long to wait, beside the form and in the notice', async () => {
  const failure = new AppError('rate_limited', undefined, { retryAfterMs: 2_736_004 })
  answerAuth({
    'POST /api/auth/sign-up/email': () =>
      Response.json({ message: failure.message, error: toWireError(failure) }, { status: 429 }),
  })
  await renderApp({ path: '/login' })
  fireEvent.click(await screen.findByRole('tab', { name: 'Sign Up' }))
  fireEvent.change(await screen.findByLabelText('Email'), { target: { value: 'ann@example.org' } })
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret-1' } })
  fireEvent.click(screen.getByRole('button', { name: 'Sign Up' }))
  const told = () => screen.getAllByText('Too many requests. Try again in 46 minutes.')
  await waitFor(() => expect(told()).toHaveLength(2))
})

it('17.480 of a sign-up that fails and then succeeds only the success is told', async () => {
  answerAuth({ 'POST /api/auth/sign-up/email': () => new Response(null, { status: 500 }) })
  await renderApp({ path: '/login' })
  fireEvent.click(await screen.findByRole('tab', { name: 'Sign Up' }))
  fireEvent.change(await screen.findByLabelText('Email'), { target: { value: 'ann@example.org' } })
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'secret-1' } })
  fireEvent.click(screen.getByRole('button', { name: 'Sign Up' }))
  await screen.findByText('Registration failed')
  answerAuth({
    'POST /api/auth/sign-up/email': () => {
      answerAuth({ 'GET /api/auth/get-session': () => Response.json(makeSession()) })
      return Response.json({ token: 't', user: makeSession().user })
    },
  })
  fireEvent.click(screen.getByRole('button', { name: 'Sign Up' }))
  await screen.findByText('Registration successful')
  // Not waited for: it would be over by itself.
  expect(screen.queryByText('Registration failed')).toBeNull()
})
