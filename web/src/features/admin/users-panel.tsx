import type { AdminUser } from '@earshot/core/protocol/admin-calls'
import { useInfiniteQuery } from '@tanstack/react-query'
import { KeyRound, Library, ShieldCheck, ShieldOff, UserCheck, UserX } from 'lucide-react'
import { useState } from 'react'
import { adminUsersQuery } from '../../api/admin.ts'
import { callApi } from '../../api/call-api.ts'
import { admin, adminUsers as texts } from '../../texts/admin.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatAgo } from '../../ui/format-time.ts'
import { useNow } from '../../ui/use-now.ts'
import { AdminList, AdminListItem } from './admin-list.tsx'
import { LinkToCopy } from './link-to-copy.tsx'
import { useAdminAction } from './use-admin-action.ts'

type Changes = Partial<Pick<AdminUser, 'isAdmin' | 'isDisabled' | 'hasLibraryAccess'>>

/** The users: find them, disable and enable them, change what they may do, create a reset link (16.37). */
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
  const [isDisabling, setDisabling] = useState(false)
  const { username, email, isAdmin, isDisabled, hasLibraryAccess, lastSeenAt } = user
  const { mutate, isPending } = useAdminAction((body: Changes) =>
    callApi('PATCH /api/admin/users/:userId', { params: { userId: user.id }, body }),
  )
  const resetLink = useAdminAction((userId: string) =>
    callApi('POST /api/admin/users/:userId/reset-link', { params: { userId } }),
  )
  const choices = [
    isDisabled
      ? { icon: UserCheck, text: texts.enable, onChoose: () => mutate({ isDisabled: false }) }
      : { icon: UserX, text: texts.disable, onChoose: () => setDisabling(true) },
    isAdmin
      ? { icon: ShieldOff, text: texts.removeAdmin, onChoose: () => mutate({ isAdmin: false }) }
      : { icon: ShieldCheck, text: texts.makeAdmin, onChoose: () => mutate({ isAdmin: true }) },
    {
      icon: Library,
      text: hasLibraryAccess ? texts.takeLibrary : texts.giveLibrary,
      onChoose: () => mutate({ hasLibraryAccess: !hasLibraryAccess }),
    },
    // Nobody signs in to a disabled account, whatever its password.
    ...(isDisabled
      ? []
      : [{ icon: KeyRound, text: texts.resetLink, onChoose: () => resetLink.mutate(user.id) }]),
  ]
  return (
    <AdminListItem
      name={username}
      badges={
        <>
          {isAdmin && <Badge tone="brand">{texts.admin}</Badge>}
          {isDisabled && <Badge tone="video">{texts.disabled}</Badge>}
          {hasLibraryAccess && <Badge>{texts.library}</Badge>}
        </>
      }
      facts={[email, lastSeenAt === null ? texts.neverSeen : texts.seen(formatAgo(lastSeenAt, nowMs))]}
      isBusy={isPending || resetLink.isPending}
      choices={choices}
    >
      <DisableDialog
        username={username}
        isOpen={isDisabling}
        onClose={() => setDisabling(false)}
        onDisable={() => mutate({ isDisabled: true })}
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

interface DisableDialogProps {
  username: string
  isOpen: boolean
  onClose: () => void
  onDisable: () => void
}

function DisableDialog({ username, isOpen, onClose, onDisable }: DisableDialogProps) {
  const disable = () => {
    onClose()
    onDisable()
  }
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={texts.disableTitle(username)}>
      <p className="text-sm text-ink-muted">{texts.disableText}</p>
      <div className="mt-5 flex flex-wrap gap-3">
        <Button tone="primary" onClick={disable}>
          {texts.disable}
        </Button>
        <Button tone="quiet" onClick={onClose}>
          {admin.cancel}
        </Button>
      </div>
    </Dialog>
  )
}
