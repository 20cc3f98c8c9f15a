import type { AdminRoom } from '@earshot/core/protocol/admin-calls'
import { limits } from '@earshot/core/limits'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { adminRoomsQuery } from '../../api/admin.ts'
import { callApi } from '../../api/call-api.ts'
import { admin, adminRooms as texts } from '../../texts/admin.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/popups/dialog.tsx'
import { formatAgo } from '../../ui/music/format-time.ts'
import { TextField } from '../../ui/controls/text-field.tsx'
import { useNow } from '../../ui/page/use-now.ts'
import { AdminList, AdminListItem } from './admin-list.tsx'
import { useAdminAction } from './use-admin-action.ts'

/** All rooms: find, rename and delete them. */
export function RoomsPanel() {
  return (
    <AdminList searchLabel={texts.searchFor} emptyText={texts.none} useList={useRooms}>
      {(pages) => pages.flatMap(({ rooms }) => rooms).map((room) => <RoomItem key={room.id} room={room} />)}
    </AdminList>
  )
}

const useRooms = (q: string) => useInfiniteQuery(adminRoomsQuery(q))

function RoomItem({ room }: { room: AdminRoom }) {
  const nowMs = useNow()
  const [open, setOpen] = useState<'rename' | 'delete' | null>(null)
  const close = () => setOpen(null)
  return (
    <AdminListItem
      name={room.name}
      badges={!room.isPublic && <Badge>{texts.private}</Badge>}
      facts={[
        ...(room.ownerName === null ? [] : [texts.owner(room.ownerName)]),
        texts.members(room.members),
        admin.created(formatAgo(room.createdAt, nowMs)),
      ]}
      choices={[
        { icon: Pencil, text: texts.rename, onChoose: () => setOpen('rename') },
        { icon: Trash2, text: texts.delete, onChoose: () => setOpen('delete') },
      ]}
    >
      <Dialog isOpen={open === 'rename'} onClose={close} title={texts.renameTitle}>
        <RenameForm room={room} onDone={close} />
      </Dialog>
      <Dialog isOpen={open === 'delete'} onClose={close} title={texts.deleteTitle(room.name)}>
        <DeleteForm room={room} onDone={close} />
      </Dialog>
    </AdminListItem>
  )
}

interface FormProps {
  room: AdminRoom
  onDone: () => void
}

/** Keeps what was typed where saving fails. */
function RenameForm({ room, onDone }: FormProps) {
  const [name, setName] = useState(room.name)
  const [error, setError] = useState<string | null>(null)
  const { mutate, isPending } = useAdminAction((body: { name: string }) =>
    callApi('PATCH /api/admin/rooms/:roomId', { params: { roomId: room.id }, body }),
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '') return setError(texts.nameRequired)
    setError(null)
    mutate({ name: name.trim() }, { onSuccess: onDone })
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <TextField
        label={texts.name}
        name="room-name"
        autoComplete="off"
        maxLength={limits.roomNameMaxLength}
        value={name}
        error={error}
        onChange={(event) => setName(event.target.value)}
      />
      <Button type="submit" tone="primary" isBusy={isPending}>
        {texts.save}
      </Button>
    </form>
  )
}

function DeleteForm({ room, onDone }: FormProps) {
  const { mutate, isPending } = useAdminAction((roomId: string) =>
    callApi('DELETE /api/admin/rooms/:roomId', { params: { roomId } }),
  )
  return (
    <>
      <p className="text-sm text-ink-muted">{texts.deleteText}</p>
      <div className="mt-5 flex flex-wrap gap-3">
        <Button tone="primary" isBusy={isPending} onClick={() => mutate(room.id, { onSuccess: onDone })}>
          {texts.delete}
        </Button>
        <Button tone="quiet" onClick={onDone}>
          {admin.cancel}
        </Button>
      </div>
    </>
  )
}
