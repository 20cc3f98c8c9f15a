import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { refusedSession } from '../../api/refused-session.ts'
import { useSession } from '../../api/session.tsx'

/**
 * Sends visitors and guests to login, which says `message` and returns to `path`. A user who signs out goes home
 * instead.
 */
export function useSignInFirst(path: string, message: string): void {
  const { status } = useSession()
  const navigate = useNavigate()
  const wasSignedIn = useRef(false)
  useEffect(() => {
    if (status === 'signed_in') wasSignedIn.current = true
    if (status !== 'signed_out' && status !== 'guest') return
    if (wasSignedIn.current && refusedSession.getState().isOver) void navigate('/', { replace: true })
    else void navigate('/login', { replace: true, state: { from: path, message } })
  }, [status, navigate, path, message])
}
