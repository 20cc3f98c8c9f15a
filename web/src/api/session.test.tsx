import { QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { answerAuth } from '../testing/contract-network.ts'
import { keepSession } from '../testing/kept-session.ts'
import { makeSession } from '../testing/samples.ts'
import { SessionProvider, useSession } from './session.tsx'
import { createQueryClient } from './queries.ts'

function Probe() {
  const { status, user } = useSession()
  return <p>{`${status} ${user?.name ?? '-'}`}</p>
}

it('4.1a the session is restored on load', async () => {
  answerAuth({ 'GET /api/auth/get-session': () => Response.json(makeSession()) })
  render(
    <QueryClientProvider client={createQueryClient()}>
      <SessionProvider>
        <Probe />
      </SessionProvider>
    </QueryClientProvider>,
  )
  keepSession()
  expect(screen.getByText('loading -')).toBeDefined()
  await screen.findByText('signed_in ann')
})

it('8.1b using the session outside its provider throws', () => {
  const quiet = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  expect(() => render(<Probe />)).toThrow('must be used within an authentication provider')
  quiet.mockRestore()
})
