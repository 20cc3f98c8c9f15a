/** Whoever is signed in, with the names of their profile. */
export interface SessionUser {
  id: string
  email: string
  username: string
  avatarUrl: string | null
}

export interface Session {
  id: string
  user: SessionUser
}

/** The session that the cookies of a request belong to; null where there is none, or it has ended. */
export type ResolveSession = (headers: Headers) => Promise<Session | null>
