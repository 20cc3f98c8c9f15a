import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { callApi } from '../../../api/call-api.ts'
import { removal as texts } from '../../../texts/moderation.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { Button } from '../../../ui/controls/button.tsx'
import { TryAgain } from '../../../ui/controls/try-again.tsx'
import { notifyFailure, useModeration } from '../moderation.tsx'
import { useRoomVisit, useRoomState } from '../use-room.ts'

const avatarPx = 28

/** Lists the people whom the owner banned, where there are any, with the button that lifts each ban. */
export function BanList() {
  const { roomId } = useRoomVisit()
  const { lift } = useModeration()
  const client = useQueryClient()
  const queryKey = ['bans', roomId]
  const { data: bans = [], isError } = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      (await callApi('GET /api/rooms/:roomId/bans', { params: { roomId } }, { signal })).bans,
  })
  const reload = () => client.invalidateQueries({ queryKey })
  const latestBan = useRoomState(
    ({ activity }) => activity.lines.findLast(({ kind }) => kind === 'banned')?.id,
  )
  useEffect(() => {
    if (latestBan !== undefined) void client.invalidateQueries({ queryKey: ['bans', roomId] })
  }, [client, latestBan, roomId])
  if (isError && bans.length === 0) return <TryAgain title={texts.bansFailed} onRetry={() => void reload()} />
  if (bans.length === 0) return null
  return (
    <details className="mt-4 border-t border-line pt-3">
      <summary className="py-1 text-sm text-ink-muted">{texts.bans(bans.length)}</summary>
      <ul className="mt-1">
        {bans.map(({ user_id, username, avatar_url }) => (
          <li key={user_id} className="flex min-w-0 items-center gap-3 py-1">
            <Avatar name={username} url={avatar_url} size={avatarPx} />
            <span dir="auto" title={username} className="min-w-0 flex-1 truncate text-sm">
              {username}
            </span>
            <Button
              size="sm"
              tone="quiet"
              aria-label={texts.liftFor(username)}
              onClick={() => void lift(user_id).then(reload, notifyFailure)}
            >
              {texts.lift}
            </Button>
          </li>
        ))}
      </ul>
    </details>
  )
}
