import type { VideoSearchResult } from '@earshot/core/protocol/providers'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { connecting } from '../../texts/login.ts'
import { integrations, youtube as texts } from '../../texts/profile.ts'
import { connectYoutube } from '../../api/account.ts'
import { callApiRetrying } from '../../api/call-api.ts'
import { youtubeQuery } from '../../api/provider-queries.ts'
import { profileQuery, sourcesQuery } from '../../api/queries.ts'
import { notify } from '../../ui/notices/notify.ts'
import { describeError } from '../../api/describe-error.ts'

/** Of the last test: the sample results, or what failed. */
export type Outcome =
  | { results: VideoSearchResult[]; error?: undefined }
  | { results?: undefined; error: string; details: string | null }

/** Connects, tests and disconnects YouTube (8.8, 8.12b). */
export function useYoutube(userId: string) {
  const queryClient = useQueryClient()
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [isBusy, setBusy] = useState(false)
  const refresh = () =>
    Promise.all(
      [youtubeQuery, profileQuery(userId), sourcesQuery].map(({ queryKey }) =>
        queryClient.invalidateQueries({ queryKey }),
      ),
    )
  /** Resolves to whether it is connected. */
  const connect = async (apiKey: string | null): Promise<boolean> => {
    setBusy(true)
    setOutcome(null)
    const next = await tryKey(apiKey)
    setOutcome(next)
    if (next.error !== undefined) {
      notify({ kind: 'error', title: texts.failedTitle, text: next.error })
    } else {
      notify({
        kind: 'success',
        title: connecting.youtubeConnected,
        text: connecting.youtubeConnectedText,
      })
      await refresh()
    }
    setBusy(false)
    return next.error === undefined
  }
  const { mutate: disconnect, isPending: isDisconnecting } = useMutation({
    mutationFn: async () => (await callApiRetrying('DELETE /api/youtube', {})).connection,
    onSuccess: async (connection) => {
      queryClient.setQueryData(youtubeQuery.queryKey, connection)
      setOutcome(null)
      notify({ kind: 'success', title: integrations.disconnected('youtube') })
      await refresh()
    },
    onError: (error) =>
      notify({
        kind: 'error',
        title: integrations.disconnectFailed('youtube'),
        text: describeError(error, connecting.unknownError),
      }),
  })
  return { connect, disconnect, isBusy, isDisconnecting, outcome }
}

async function tryKey(apiKey: string | null): Promise<Outcome> {
  try {
    const result = await connectYoutube(apiKey)
    if (result.success) return { results: result.results }
    return { error: result.error || connecting.unknownError, details: result.details }
  } catch (error) {
    return { error: describeError(error, connecting.unknownError), details: null }
  }
}
