import { createRoomSchema, type CreateRoomInput } from '@earshot/core/protocol/validation'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { callApi } from '../../api/call-api.ts'
import { roomsQuery } from '../../api/queries.ts'
import { createRoom } from '../../texts.ts'
import { notify } from '../../ui/notify.ts'

type Field = 'name' | 'password'

const faults: Record<Field, { title: string; text: string }> = {
  name: { title: createRoom.nameRequiredTitle, text: createRoom.nameRequiredText },
  password: { title: createRoom.passwordRequiredTitle, text: createRoom.passwordRequiredText },
}

/** Checks the form (5.2), creates the room and goes there. `onFault` is told which field to look at. */
export function useCreateRoom(onFault: (field: Field) => void) {
  const [fault, setFault] = useState<{ field: Field; text: string } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const refuse = (field: Field) => {
    setFault({ field, text: faults[field].text })
    notify({ kind: 'warning', ...faults[field] })
    onFault(field)
  }
  const submit = async (input: CreateRoomInput) => {
    const checked = createRoomSchema.safeParse(input)
    if (!checked.success) return refuse(checked.error.issues[0]?.path[0] === 'password' ? 'password' : 'name')
    setFault(null)
    setBusy(true)
    try {
      const { id } = await callApi('POST /api/rooms', { body: checked.data })
      await queryClient.invalidateQueries({ queryKey: roomsQuery.queryKey })
      await navigate(`/room/${id}`)
    } catch {
      notify({ kind: 'error', title: createRoom.failedTitle, text: createRoom.failedText })
      setBusy(false)
    }
  }
  return { fault, isBusy, submit }
}
