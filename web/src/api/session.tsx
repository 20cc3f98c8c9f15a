import type { PageUser } from '@earshot/core/protocol/page-data'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, use, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { loadAuthClient, useSessionState } from './auth-client.ts'
import { readPageData } from './page-data.ts'
import { refusedCalls, refusedSession } from './refused-session.ts'

export type SessionUser = PageUser

interface Session {
  /** `loading` until the session was read once, also while it cannot be read. `guest`: without an account. */
  status: 'loading' | 'signed_in' | 'guest' | 'signed_out'
  /** Null unless signed in or a guest. */
  user: SessionUser | null
  /** The last attempt to read the session failed. The user is still the one of the last answer. */
  isUnreadable: boolean
}

const SessionContext = createContext<Session | null>(null)

/** The last answer about the session; `user` is undefined before the first. */
interface Known {
  user: SessionUser | null | undefined
  isUnreadable: boolean
}

/**
 * Restores the session on load and follows its changes, also from other tabs. Reading it may fail without signing
 * anybody out: the last answer counts until there is another, and reading is tried again.
 */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [known, setKnown] = useState<Known>(() => ({ user: readPageData()?.user, isUnreadable: false }))
  const state = useSessionState()
  if (state && !state.isPending && !state.isRefetching) {
    const { data, error } = state
    const hasFailed = error !== null && error.status !== 401
    const user = hasFailed ? known.user : toSessionUser(data?.user)
    if (hasFailed !== known.isUnreadable || !isSameUser(user, known.user))
      setKnown({ user, isUnreadable: hasFailed })
  }
  useResetOnUserChange(known.user)
  useRereading(known.isUnreadable)
  useSignOutElsewhere()
  const session = useMemo<Session>(() => {
    const { user = null, isUnreadable } = known
    return { status: statusOf(known.user), user, isUnreadable }
  }, [known])
  return <SessionContext value={session}>{children}</SessionContext>
}

function statusOf(user: Known['user']): Session['status'] {
  if (user === undefined) return 'loading'
  if (user === null) return 'signed_out'
  return user.isGuest ? 'guest' : 'signed_in'
}

interface AuthLibraryUser {
  id: string
  name: string
  email: string
  image?: string | null
  isAnonymous?: boolean | null
  /** Of the roles plugin. */
  role?: string | null
}

function toSessionUser(user: AuthLibraryUser | undefined): SessionUser | null {
  if (!user) return null
  const isGuest = user.isAnonymous === true
  const email = isGuest ? '' : user.email
  const { id, name, image, role } = user
  return {
    id,
    name,
    email,
    avatarUrl: image ?? null,
    isGuest,
    ...(role === 'admin' ? { isAdmin: true } : {}),
  }
}

function isSameUser(one: Known['user'], other: Known['user']): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Where the sign-in library tells other tabs what it did. */
const authLibraryMessageKey = 'better-auth.message'

const rereadFirstMs = 2_000
const rereadMaxMs = 30_000

/** Reads the session again while it cannot be read, at growing intervals. */
function useRereading(isUnreadable: boolean): void {
  useEffect(() => {
    if (!isUnreadable) return
    let delayMs = rereadFirstMs
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false
    const schedule = () => {
      if (isOver) return
      timer = setTimeout(() => void readSession().then(schedule), delayMs)
      delayMs = Math.min(2 * delayMs, rereadMaxMs)
    }
    schedule()
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [isUnreadable])
}

/** Reads the session from the server, into `useSession`. Never rejects. */
export async function readSession(): Promise<void> {
  try {
    await (await loadAuthClient()).$store.atoms['session']?.get().refetch()
  } catch {
    // The library's code could not be loaded; whoever waits for the session reads it again.
  }
}

/** Clears one user's cached data before the next user, and notices the end of a session elsewhere. */
function useResetOnUserChange(user: Known['user']): void {
  const queryClient = useQueryClient()
  const userId = user === undefined ? undefined : (user?.id ?? null)
  const before = useRef(userId)
  useEffect(() => {
    if (before.current !== undefined && before.current !== userId) void queryClient.resetQueries()
    // The session may be read before the connection is refused.
    const { isOver } = refusedSession.getState()
    if (userId ?? before.current) refusedSession.setState({ isRefused: !userId && !isOver, isOver: false })
    before.current = userId
    // Nothing else tells a page that stays in sight that its session was ended elsewhere.
    if (!userId) return
    const unsubscribe = [
      refusedSession.subscribe(({ isRefused }) => void (isRefused && readSession())),
      refusedCalls.subscribe(() => void readSession()),
    ]
    return () => unsubscribe.forEach((each) => each())
  }, [queryClient, userId])
}

/** Notices that another tab of this browser signs out: that is no end of the session that nobody asked for. */
function useSignOutElsewhere(): void {
  useEffect(() => {
    const onStorage = ({ key, newValue }: StorageEvent) => {
      const isSignOut = key === authLibraryMessageKey && newValue?.includes('"signout"')
      if (isSignOut) refusedSession.setState({ isOver: true })
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [])
}

/** Returns the session. Throws outside of its provider. */
export function useSession(): Session {
  const session = use(SessionContext)
  if (!session) throw new Error('useSession must be used within an authentication provider')
  return session
}
