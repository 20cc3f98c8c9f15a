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
  /** The session could not be read, so the user may still be signed in. */
  isUnreadable: boolean
}

const SessionContext = createContext<Session | null>(null)

/** Restores the session on load and follows its changes, also from other tabs. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const { data, isPending, error } = authClient.useSession()
  const user = data?.user
  const isUnreadable = error !== null && error.status !== 401
  // The client is "pending" again at every refetch; only the first one counts as loading.
  const [isRestored, setRestored] = useState(!isPending)
  if (!isPending && !isRestored) setRestored(true)
  useResetOnUserChange(user?.id ?? null, isRestored)
  const session = useMemo<Session>(() => {
    if (user) {
      const { id, name, email, image } = user
      return { status: 'signed_in', user: { id, name, email, avatarUrl: image ?? null }, isUnreadable }
    }
    return { status: isRestored ? 'signed_out' : 'loading', user: null, isUnreadable }
  }, [user, isRestored, isUnreadable])
  return <SessionContext value={session}>{children}</SessionContext>
}

/** Clears one user's cached data before the next user. */
function useResetOnUserChange(userId: string | null, isRestored: boolean): void {
  const queryClient = useQueryClient()
  const before = useRef<string | null | undefined>(undefined)
  useEffect(() => {
    if (!isRestored) return
    if (before.current !== undefined && before.current !== userId) void queryClient.resetQueries()
    before.current = userId
  }, [queryClient, userId, isRestored])
}

/** Returns the session. Throws outside of its provider. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession must be used within an authentication provider')
  return session
}

/** A failed sign-in, sign-up or sign-out, with the server's message if there is one. */
export interface AuthFailure {
  message: string | null
}

/** Signs in; resolves to null on success. Never rejects. */
export function signIn(email: string, password: string): Promise<AuthFailure | null> {
  return settle(authClient.signIn.email({ email, password }))
}

/** Creates an account named after the email's local part; signs in if it needs no confirmation. */
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
