import type { AdminUser } from '@earshot/core/protocol/admin-calls'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminUsersQuery } from '../../api/admin.ts'
import { callApi } from '../../api/call-api.ts'
import { admin, adminUsers as texts } from '../../texts/admin.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { formatAgo } from '../../ui/format-time.ts'
import { useNow } from '../../ui/use-now.ts'
import { AdminList } from './admin-list.tsx'
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
  const disable = () => {
    setDisabling(false)
    mutate({ isDisabled: true })
  }
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 py-4">
      <div className="min-w-0 flex-1 basis-64">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <span className="wrap-anywhere">{username}</span>
          {isAdmin && <Badge tone="brand">{texts.admin}</Badge>}
          {isDisabled && <Badge tone="video">{texts.disabled}</Badge>}
          {hasLibraryAccess && <Badge>{texts.library}</Badge>}
        </p>
        <p className="text-sm wrap-anywhere text-ink-muted">{email}</p>
        <p className="text-sm text-ink-muted">
          {lastSeenAt === null ? texts.neverSeen : texts.seen(formatAgo(lastSeenAt, nowMs))}
        </p>
      </div>
      <fieldset disabled={isPending} className="flex flex-wrap gap-2">
        <legend className="sr-only">{texts.actionsOf(username)}</legend>
        {isDisabled ? (
          <Button onClick={() => mutate({ isDisabled: false })}>{texts.enable}</Button>
        ) : (
          <Button onClick={() => setDisabling(true)}>{texts.disable}</Button>
        )}
        <Button onClick={() => mutate({ isAdmin: !isAdmin })}>
          {isAdmin ? texts.removeAdmin : texts.makeAdmin}
        </Button>
        <Button onClick={() => mutate({ hasLibraryAccess: !hasLibraryAccess })}>
          {hasLibraryAccess ? texts.takeLibrary : texts.giveLibrary}
        </Button>
        <ResetLink user={user} />
      </fieldset>
      <Dialog isOpen={isDisabling} onClose={() => setDisabling(false)} title={texts.disableTitle(username)}>
        <p className="text-sm text-ink-muted">{texts.disableText}</p>
        <div className="mt-5 flex flex-wrap gap-3">
          <Button tone="primary" onClick={disable}>
            {texts.disable}
          </Button>
          <Button tone="quiet" onClick={() => setDisabling(false)}>
            {admin.cancel}
          </Button>
        </div>
      </Dialog>
    </li>
  )
}

function ResetLink({ user }: { user: AdminUser }) {
  const { mutate, isPending, data, reset } = useAdminAction((userId: string) =>
    callApi('POST /api/admin/users/:userId/reset-link', { params: { userId } }),
  )
  return (
    <>
      <Button isBusy={isPending} disabled={user.isDisabled} onClick={() => mutate(user.id)}>
        {texts.resetLink}
      </Button>
      <Dialog isOpen={data !== undefined} onClose={reset} title={texts.resetTitle(user.username)}>
        <LinkToCopy link={data?.link ?? ''} text={texts.resetText} />
      </Dialog>
    </>
  )
}
