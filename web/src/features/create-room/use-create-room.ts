import { AppError } from '@earshot/core/protocol/errors'
import { createRoomSchema, type CreateRoomInput } from '@earshot/core/protocol/validation'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { callApi } from '../../api/call-api.ts'
import { unlockSound } from '../../engine/unlock-sound.ts'
import { errorTexts } from '../../texts/errors.ts'
import { createRoom } from '../../texts/create-room.ts'
import { notify } from '../../ui/notify.ts'

type Field = 'name' | 'password'

const errors: Record<Field, { title: string; text: string }> = {
  name: { title: createRoom.nameRequiredTitle, text: createRoom.nameRequiredText },
  password: { title: createRoom.passwordRequiredTitle, text: createRoom.passwordRequiredText },
}

/** Validates the form (5.2), creates the room and opens it. `onInvalid` receives the first invalid field. */
export function useCreateRoom(onInvalid: (field: Field) => void) {
  const [fieldError, setFieldError] = useState<{ field: Field; text: string } | null>(null)
  const [isBusy, setBusy] = useState(false)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const reject = (field: Field) => {
    setFieldError({ field, text: errors[field].text })
    notify({ kind: 'warning', ...errors[field] })
    onInvalid(field)
  }
  const submit = async (input: CreateRoomInput) => {
    const checked = createRoomSchema.safeParse(input)
    if (!checked.success) return reject(checked.error.issues[0]?.path[0] === 'password' ? 'password' : 'name')
    setFieldError(null)
    setBusy(true)
    unlockSound()
    try {
      const { id } = await callApi('POST /api/rooms', { body: checked.data })
      await queryClient.invalidateQueries({ queryKey: ['rooms'] })
      await navigate(`/room/${id}`)
    } catch (error) {
      // Another attempt would not help whoever owns too many rooms.
      const isFull = error instanceof AppError && error.code === 'too_many_rooms'
      const text = isFull ? errorTexts.too_many_rooms : createRoom.failedText
      notify({ kind: 'error', title: createRoom.failedTitle, text })
      setBusy(false)
    }
  }
  return { fieldError, isBusy, submit }
}
