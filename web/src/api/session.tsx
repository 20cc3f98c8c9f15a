import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { authClient } from './auth-client.ts'

export interface SessionUser {
  id: string
  name: string
  email: string
  avatarUrl: string | null
}

export interface Session {
  status: 'loading' | 'signed_in' | 'signed_out'
  /** Null unless signed in. */
  user: SessionUser | null
  /** The session could not be read: the user may be signed in for all we know. */
  isUnreadable: boolean
}

const SessionContext = createContext<Session | null>(null)

/** Restores the session on load and follows it, through the other tabs too. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const { data, isPending, error } = authClient.useSession()
  const user = data?.user
  const isUnreadable = error !== null && error.status !== 401
  // The client says "pending" again whenever it looks again for a session; only the first look is a wait.
  const [isRestored, setRestored] = useState(!isPending)
  if (!isPending && !isRestored) setRestored(true)
  useForgetOnChange(user?.id ?? null, isRestored)
  const session = useMemo<Session>(() => {
    if (user) {
      const { id, name, email, image } = user
      return { status: 'signed_in', user: { id, name, email, avatarUrl: image ?? null }, isUnreadable }
    }
    return { status: isRestored ? 'signed_out' : 'loading', user: null, isUnreadable }
  }, [user, isRestored, isUnreadable])
  return <SessionContext value={session}>{children}</SessionContext>
}

/** What one user was told is not for the next one. */
function useForgetOnChange(userId: string | null, isRestored: boolean): void {
  const queryClient = useQueryClient()
  const before = useRef<string | null | undefined>(undefined)
  useEffect(() => {
    if (!isRestored) return
    if (before.current !== undefined && before.current !== userId) void queryClient.resetQueries()
    before.current = userId
  }, [queryClient, userId, isRestored])
}

/** Who is signed in. Throws outside of its provider. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession must be used within an authentication provider')
  return session
}

/** What went wrong with signing in, up or out; the message is the server's, where it gave one. */
export interface AuthFailure {
  message: string | null
}

/** Resolves to null when signed in. Never rejects. */
export function signIn(email: string, password: string): Promise<AuthFailure | null> {
  return settle(authClient.signIn.email({ email, password }))
}

/** Makes an account, and signs in where the account works at once. The name is the email's part before the @. */
export function signUp(email: string, password: string): Promise<AuthFailure | null> {
  const name = email.split('@')[0] ?? email
  return settle(authClient.signUp.email({ email, password, name }))
}

export function signOut(): Promise<AuthFailure | null> {
  return settle(authClient.signOut())
}

async function settle(call: Promise<{ error: { message?: string } | null }>): Promise<AuthFailure | null> {
  try {
    const { error } = await call
    return error ? { message: error.message ?? null } : null
  } catch {
    return { message: null }
  }
}
