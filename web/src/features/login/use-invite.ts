import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { callApi } from '../../api/call-api.ts'

/** The invite to the server with which the page was opened. */
export interface Invite {
  token: string
  /** `unknown` until the server answered. */
  state: 'unknown' | 'valid' | 'ended'
}

/** Reads the invite from the fragment of the address, and asks the server whether it still admits. */
export function useInvite(): Invite | null {
  const { hash } = useLocation()
  const [token] = useState(() => /^#invite=([\w-]{1,100})$/.exec(hash)?.[1] ?? null)
  const { data: isValid } = useQuery({
    queryKey: ['invite', token],
    queryFn: async ({ signal }) =>
      (await callApi('POST /api/invites/check', { body: { token: token ?? '' } }, { signal })).isValid,
    enabled: token !== null,
    staleTime: Infinity,
  })
  if (token === null) return null
  return { token, state: isValid === undefined ? 'unknown' : isValid ? 'valid' : 'ended' }
}
