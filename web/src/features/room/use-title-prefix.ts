import { useEffect } from 'react'
import { titlePrefix } from '../../ui/page/page-title.tsx'
import { useUnreadMessages } from './chat/use-unread-messages.ts'
import { useRoomState } from './use-room.ts'

/** Begins the document's title with the number of unread messages and, while the room plays or is about to, the track. */
export function useTitlePrefix(): void {
  const unread = useUnreadMessages()
  const track = useRoomState((state) => (state.isPlayingOrCued ? state.track : null))
  const playing = track ? `${[track.title, track.artist].filter(Boolean).join(' - ')} · ` : ''
  const prefix = (unread > 0 ? `(${unread}) ` : '') + playing
  useEffect(() => {
    titlePrefix.setState(prefix, true)
    return () => titlePrefix.setState('', true)
  }, [prefix])
}
