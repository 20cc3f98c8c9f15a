import { limits } from '@earshot/core/limits'
import type { Room, RoomSettings } from '@earshot/core/protocol/entities'
import { isVisible } from '@earshot/core/protocol/text'
import type { RoomChanges } from '@earshot/core/protocol/validation'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type Ref, useRef, useState } from 'react'
import { callApi } from '../../../api/call-api.ts'
import { timeoutWith } from '../../../api/timed-fetch.ts'
import { update } from '../../../engine/state/room-state.ts'
import { applyRoom } from '../../../engine/state/server-updates.ts'
import { createRoom } from '../../../texts/create-room.ts'
import { roomSettings as texts } from '../../../texts/room-settings.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { notify } from '../../../ui/notices/notify.ts'
import { PasswordField } from '../../../ui/controls/password-field.tsx'
import { Switch } from '../../../ui/controls/switch.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { useRoomVisit } from '../use-room.ts'
import { CallFailure, OwnerActions } from './owner-actions.tsx'
import { SettingChoice } from './setting-choice.tsx'
import { WaitingTracks } from './waiting-tracks.tsx'

/** The owner's unsaved changes. */
export interface SettingsDraft {
  name?: string
  settings?: Partial<RoomSettings>
  privacy?: 'public' | 'private'
  password?: string
}

interface SettingsFormProps {
  room: Room
  draft: SettingsDraft
  onChange: (draft: SettingsDraft) => void
  onSaved: () => void
}

/**
 * The settings and actions of the owner. Loaded as one part: a form that came later would push away the control below it
 * that was just chosen (17.109).
 */
export function OwnerSettings(props: SettingsFormProps) {
  return (
    <>
      <SettingsForm {...props} />
      <OwnerActions room={props.room} />
    </>
  )
}

/** Changes name, settings and privacy of the room (17.20b). */
function SettingsForm({ room, draft, onChange, onSaved }: SettingsFormProps) {
  const name = useRef<HTMLInputElement>(null)
  const password = useRef<HTMLInputElement>(null)
  const [flaw, setFlaw] = useState<'name' | 'password' | null>(null)
  const save = useSave(room.id, () => {
    onChange({})
    onSaved()
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = findFlaw(room, draft)
    setFlaw(found)
    if (found === null) save.mutate(toChanges(draft))
    else (found === 'name' ? name : password).current?.focus()
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-7">
      <TextField
        ref={name}
        label={texts.name}
        maxLength={limits.roomNameMaxLength}
        autoComplete="off"
        value={draft.name ?? room.name}
        onChange={(event) => onChange({ ...draft, name: event.target.value })}
        error={flaw === 'name' ? createRoom.nameRequiredText : null}
      />
      <Settings
        value={{ ...room.settings, ...draft.settings }}
        onChange={(changed) => onChange({ ...draft, settings: { ...draft.settings, ...changed } })}
      />
      <Privacy
        passwordRef={password}
        room={room}
        draft={draft}
        onChange={onChange}
        error={flaw === 'password' ? createRoom.passwordRequiredText : null}
      />
      <CallFailure title={texts.saveFailed} error={save.error} />
      <Button type="submit" tone="primary" isWide isBusy={save.isPending}>
        {save.isPending ? texts.saving : texts.save}
      </Button>
    </form>
  )
}

interface SettingsProps {
  value: RoomSettings
  onChange: (changed: Partial<RoomSettings>) => void
}

function Settings({ value, onChange }: SettingsProps) {
  return (
    <>
      <SettingChoice name="control" value={value.control} onChange={(control) => onChange({ control })} />
      <SettingChoice
        name="skipVotes"
        value={value.skipVotes}
        onChange={(skipVotes) => onChange({ skipVotes })}
      />
      <SettingChoice name="guests" value={value.guests} onChange={(guests) => onChange({ guests })} />
      <Switch
        label={texts.guestsChat}
        hint={texts.guestsChatHint}
        isOn={value.guestsChat}
        onChange={(guestsChat) => onChange({ guestsChat })}
      />
      <Switch
        label={texts.guestsQueue}
        hint={texts.guestsQueueHint}
        isOn={value.guestsQueue}
        onChange={(guestsQueue) => onChange({ guestsQueue })}
      />
      <SettingChoice name="removal" value={value.removal} onChange={(removal) => onChange({ removal })} />
      <WaitingTracks value={value.waitingTracks} onChange={(waitingTracks) => onChange({ waitingTracks })} />
      <Switch
        label={texts.repeat}
        hint={texts.repeatHint}
        isOn={value.repeat}
        onChange={(repeat) => onChange({ repeat })}
      />
    </>
  )
}

interface PrivacyProps extends Omit<SettingsFormProps, 'onSaved'> {
  passwordRef: Ref<HTMLInputElement>
  error: string | null
}

/** A private room keeps its password unless a new one is typed. */
function Privacy({ room, draft, onChange, passwordRef, error }: PrivacyProps) {
  const privacy = draft.privacy ?? (room.is_public ? 'public' : 'private')
  const keptHint = room.is_public ? '' : `${texts.newPasswordHint} `
  return (
    <>
      <SettingChoice
        name="privacy"
        value={privacy}
        onChange={(chosen) => onChange({ ...draft, privacy: chosen })}
      />
      {privacy === 'private' && (
        <>
          <PasswordField
            ref={passwordRef}
            label={room.is_public ? createRoom.password : texts.newPassword}
            hint={keptHint + texts.newPasswordEnds}
            showLabel={createRoom.showPassword}
            hideLabel={createRoom.hidePassword}
            maxLength={limits.roomPasswordMaxLength}
            autoComplete="off"
            value={draft.password ?? ''}
            onChange={(event) => onChange({ ...draft, password: event.target.value })}
            error={error}
          />
          <Switch
            label={texts.listed}
            hint={texts.listedHint}
            isOn={draft.settings?.listed ?? room.settings.listed}
            onChange={(listed) => onChange({ ...draft, settings: { ...draft.settings, listed } })}
          />
        </>
      )}
    </>
  )
}

/** Returns the field that cannot be saved as it is. */
function findFlaw(room: Room, { name, privacy, password }: SettingsDraft): 'name' | 'password' | null {
  if (name !== undefined && !isVisible(name)) return 'name'
  const needsPassword = privacy === 'private' && room.is_public
  return needsPassword && (password ?? '').trim() === '' ? 'password' : null
}

function toChanges({ name, settings, privacy, password = '' }: SettingsDraft): RoomChanges {
  return {
    ...(name === undefined ? {} : { name }),
    ...(settings === undefined ? {} : { settings }),
    ...(privacy === undefined ? {} : { isPublic: privacy === 'public' }),
    ...(privacy === 'public' || password.trim() === '' ? {} : { password }),
  }
}

function useSave(roomId: string, onSaved: () => void) {
  const { store } = useRoomVisit()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: RoomChanges) =>
      callApi(
        'PATCH /api/rooms/:roomId',
        { params: { roomId }, body },
        { timeoutMs: timeoutWith(body.password) },
      ),
    onSuccess({ room }, { password }) {
      update(store, (state) => applyRoom(state, room))
      // A new password ended the invite link that the dialog would show again.
      if (password !== undefined) queryClient.removeQueries({ queryKey: ['invite', roomId] })
      notify({ kind: 'success', title: texts.saved })
      onSaved()
    },
  })
}
