import type { AdminUser } from '@earshot/core/protocol/admin-calls'
import { useInfiniteQuery } from '@tanstack/react-query'
import { KeyRound, Library, ShieldCheck, ShieldOff, Trash2, UserCheck, UserX } from 'lucide-react'
import { useState } from 'react'
import { adminUsersQuery } from '../../api/admin.ts'
import { callApi } from '../../api/call-api.ts'
import { admin, adminUsers as texts } from '../../texts/admin.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/popups/dialog.tsx'
import { formatAgo } from '../../ui/music/format-time.ts'
import { useNow } from '../../ui/page/use-now.ts'
import { AdminList, AdminListItem } from './admin-list.tsx'
import { LinkToCopy } from './link-to-copy.tsx'
import { useAdminAction } from './use-admin-action.ts'

type Changes = Partial<Pick<AdminUser, 'isAdmin' | 'isDisabled' | 'hasLibraryAccess'>>

/** The users: find them, disable, enable and delete them, change what they may do, create a reset link (16.37). */
export function UsersPanel() {
  return (
    <AdminList searchLabel={texts.searchFor} emptyText={texts.none} useList={useUsers}>
      {(pages) => pages.flatMap(({ users }) => users).map((user) => <UserItem key={user.id} user={user} />)}
    </AdminList>
  )
}

const useUsers = (q: string) => useInfiniteQuery(adminUsersQuery(q))

function UserItem({ user }: { user: AdminUser }) {
  const nowMs = useNow()
  const [asked, setAsked] = useState<'disable' | 'delete' | null>(null)
  const close = () => setAsked(null)
  const { username, email, isAdmin, isDisabled, hasLibraryAccess, lastSeenAt } = user
  const { change, deletion, resetLink } = useUserActions(user)
  const choices = [
    isDisabled
      ? { icon: UserCheck, text: texts.enable, onChoose: () => change.mutate({ isDisabled: false }) }
      : { icon: UserX, text: texts.disable, onChoose: () => setAsked('disable') },
    isAdmin
      ? { icon: ShieldOff, text: texts.removeAdmin, onChoose: () => change.mutate({ isAdmin: false }) }
      : { icon: ShieldCheck, text: texts.makeAdmin, onChoose: () => change.mutate({ isAdmin: true }) },
    {
      icon: Library,
      text: hasLibraryAccess ? texts.takeLibrary : texts.giveLibrary,
      onChoose: () => change.mutate({ hasLibraryAccess: !hasLibraryAccess }),
    },
    // Nobody signs in to a disabled account, whatever its password.
    ...(isDisabled ? [] : [{ icon: KeyRound, text: texts.resetLink, onChoose: () => resetLink.mutate() }]),
    { icon: Trash2, text: texts.delete, onChoose: () => setAsked('delete') },
  ]
  return (
    <AdminListItem
      name={username}
      badges={<UserBadges {...user} />}
      facts={[email, lastSeenAt === null ? texts.neverSeen : texts.seen(formatAgo(lastSeenAt, nowMs))]}
      isBusy={change.isPending || deletion.isPending || resetLink.isPending}
      choices={choices}
    >
      <ConfirmDialog
        isOpen={asked === 'disable'}
        onClose={close}
        title={texts.disableTitle(username)}
        text={texts.disableText}
        action={texts.disable}
        onConfirm={() => change.mutate({ isDisabled: true })}
      />
      <ConfirmDialog
        isOpen={asked === 'delete'}
        onClose={close}
        title={texts.deleteTitle(username)}
        text={texts.deleteText}
        action={texts.delete}
        onConfirm={() => deletion.mutate()}
      />
      <Dialog
        isOpen={resetLink.data !== undefined}
        onClose={resetLink.reset}
        title={texts.resetTitle(username)}
      >
        <LinkToCopy link={resetLink.data?.link ?? ''} text={texts.resetText} />
      </Dialog>
    </AdminListItem>
  )
}

function UserBadges({ isAdmin, isDisabled, hasLibraryAccess }: AdminUser) {
  return (
    <>
      {isAdmin && <Badge tone="brand">{texts.admin}</Badge>}
      {isDisabled && <Badge tone="video">{texts.disabled}</Badge>}
      {hasLibraryAccess && <Badge>{texts.library}</Badge>}
    </>
  )
}

function useUserActions({ id: userId }: AdminUser) {
  const params = { userId }
  return {
    change: useAdminAction((body: Changes) => callApi('PATCH /api/admin/users/:userId', { params, body })),
    deletion: useAdminAction(() => callApi('DELETE /api/admin/users/:userId', { params })),
    resetLink: useAdminAction(() => callApi('POST /api/admin/users/:userId/reset-link', { params })),
  }
}

interface ConfirmDialogProps {
  isOpen: boolean
  title: string
  text: string
  action: string
  onClose: () => void
  onConfirm: () => void
}

function ConfirmDialog({ isOpen, title, text, action, onClose, onConfirm }: ConfirmDialogProps) {
  const confirm = () => {
    onClose()
    onConfirm()
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <p className="text-sm text-ink-muted">{text}</p>
      <div className="mt-5 flex flex-wrap gap-3">
        <Button tone="primary" onClick={confirm}>
          {action}
        </Button>
        <Button tone="quiet" onClick={onClose}>
          {admin.cancel}
        </Button>
      </div>
    </Dialog>
  )
}
