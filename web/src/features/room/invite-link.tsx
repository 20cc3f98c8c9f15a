import type { Room } from '@earshot/core/protocol/entities'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Copy, Share2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { encode } from 'uqr'
import { callApi } from '../../api/call-api.ts'
import { isLoopback, useSharedOrigin } from '../../api/shared-link.ts'
import { common, productName } from '../../texts/common.ts'
import { invite as texts } from '../../texts/room.ts'
import { Button } from '../../ui/controls/button.tsx'
import { formatDate } from '../../ui/music/format-time.ts'
import { LocalLinkNotice } from '../../ui/notices/local-link-notice.tsx'
import { notify } from '../../ui/notices/notify.ts'
import { Switch } from '../../ui/controls/switch.tsx'
import { LoadingLink } from './loading-link.tsx'

export interface InviteProps {
  room: Room
  isOwner: boolean
}

/** Shows the link. The owner's admits to a private room without its password (6.4d), and guests who need an invite. */
export function InviteLink({ room, isOwner }: InviteProps) {
  const admits = isOwner && (!room.is_public || room.settings.guests === 'invited')
  const queryClient = useQueryClient()
  const origin = useSharedOrigin()
  const [isForOne, setForOne] = useState(false)
  const { data, isPending, isError, isFetching, refetch } = useInvite(room.id, { admits, isForOne })
  // One that was made before may admit nobody any more.
  const invite = admits ? data : undefined
  const revoke = useMutation({
    mutationFn: () => callApi('DELETE /api/rooms/:roomId/invites', { params: { roomId: room.id } }),
    async onSuccess() {
      queryClient.removeQueries({ queryKey: ['invite', room.id, !isForOne] })
      notify({ kind: 'success', title: texts.revoked, text: texts.revokedText })
      await refetch()
    },
    onError: () => notify({ kind: 'error', title: texts.revokeFailed }),
  })
  const link = `${origin}/room/${room.id}${invite ? `#invite=${invite.token}` : ''}`
  return (
    <div className="flex flex-col gap-4">
      {admits && isPending ? (
        <LoadingLink />
      ) : (
        <>
          <p className="text-sm text-ink-muted">
            {isError ? failureOf(room) : describe(room, invite && { ...invite, isForOne })}
          </p>
          <LinkField link={link} />
          {isLoopback(origin) ? <LocalLinkNotice /> : <InviteCode link={link} />}
        </>
      )}
      {admits && <Switch label={texts.once} hint={texts.onceHint} isOn={isForOne} onChange={setForOne} />}
      <div className="flex flex-wrap gap-3">
        <ShareButton link={link} name={room.name} />
        {isError && (
          <Button isBusy={isFetching} onClick={() => void refetch()}>
            {common.tryAgain}
          </Button>
        )}
        {invite && (
          <Button
            tone="quiet"
            isBusy={revoke.isPending}
            onClick={() => revoke.mutate()}
            // Its text is aligned with the others', as nothing shows where the button begins.
            className="first:-ms-5"
          >
            {texts.revoke}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Makes a link for the owner where it admits somebody. */
function useInvite(roomId: string, { admits, isForOne }: { admits: boolean; isForOne: boolean }) {
  return useQuery({
    queryKey: ['invite', roomId, isForOne],
    queryFn: () =>
      callApi('POST /api/rooms/:roomId/invites', {
        params: { roomId },
        body: { uses: isForOne ? 1 : null },
      }),
    enabled: admits,
    staleTime: Infinity,
    // A link for one person is made anew each time: the last one may be used.
    ...(isForOne && { gcTime: 0 }),
  })
}

const failureOf = ({ is_public }: Room): string => (is_public ? texts.createFailedPublic : texts.createFailed)

/** Says whom a link admits. `invite`: its token, if the link contains one. */
function describe(
  { is_public, settings }: Room,
  invite: { expiresAt: number; isForOne: boolean } | undefined,
): string {
  const needsAccount = settings.guests === 'nobody'
  if (invite) {
    const until = formatDate(invite.expiresAt)
    if (invite.isForOne) return texts.onceText(until)
    if (is_public) return texts.guestText(until)
    return needsAccount ? texts.accountText(until) : texts.ownerText(until)
  }
  if (!is_public) return texts.memberText
  return settings.guests === 'everyone' ? texts.openText : texts.publicText
}

/** The address as text, which can be selected where there is no clipboard: on plain http. */
function LinkField({ link }: { link: string }) {
  const field = useRef<HTMLInputElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link)
      notify({ kind: 'success', title: texts.copied, text: texts.copiedText })
    } catch {
      // Refused by the browser's settings, or by a frame around the page.
      field.current?.select()
      notify({ kind: 'error', title: texts.copyFailed, text: texts.copyFailedText })
    }
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <input
        ref={field}
        readOnly
        dir="ltr"
        aria-label={texts.link}
        value={link}
        onFocus={(event) => event.target.select()}
        className="h-11 min-w-40 flex-9999 rounded-full bg-raised px-4 text-sm text-ink"
      />
      {window.isSecureContext && (
        <Button tone="primary" className="flex-auto" onClick={() => void copy()}>
          <Copy aria-hidden className="size-4" />
          {texts.copy}
        </Button>
      )}
    </div>
  )
}

/** Opens the system's share sheet, where there is one. */
function ShareButton({ link, name }: { link: string; name: string }) {
  if (!('share' in navigator)) return null
  // A cancelled share rejects, too.
  const share = () =>
    void navigator.share({ title: `${name} · ${productName}`, url: link }).catch(() => undefined)
  return (
    <Button onClick={share}>
      <Share2 aria-hidden className="size-4" />
      {texts.share}
    </Button>
  )
}

/** The space around a code that scanners need, in modules. */
const quiet = 2

/**
 * Shows a link as a QR code: dark on light in both colour modes, because some scanners read nothing else. Loaded when
 * it is opened.
 */
function InviteCode({ link }: { link: string }) {
  const { data, size } = encode(link, { border: quiet })
  const path = data
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
    .join('')
  return (
    <figure>
      <figcaption className="sr-only">{texts.code}</figcaption>
      <svg
        aria-hidden
        viewBox={`0 0 ${size} ${size}`}
        shapeRendering="crispEdges"
        className="mx-auto size-48 rounded-md bg-page text-ink scheme-light forced-color-adjust-none"
      >
        <path d={path} fill="currentColor" />
      </svg>
    </figure>
  )
}
