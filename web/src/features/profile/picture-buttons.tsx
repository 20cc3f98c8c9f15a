import type { Profile } from '@earshot/core/protocol/entities'
import { ImageUp } from 'lucide-react'
import { useRef } from 'react'
import { profile as texts } from '../../texts/profile.ts'
import { saveProfilePicture } from '../../api/account.ts'
import { Button } from '../../ui/controls/button.tsx'
import { notify } from '../../ui/notices/notify.ts'
import { readPicture } from './read-picture.ts'
import { useSaveProfile } from './use-save-profile.ts'

/** Sets the user's picture from a file, or removes it. */
export function PictureButtons({ profile }: { profile: Profile }) {
  const { mutate, isPending } = useSaveProfile(profile.id, saveProfilePicture)
  const input = useRef<HTMLInputElement>(null)
  const save = (image: string | null) =>
    mutate(image, { onSuccess: () => notify({ kind: 'success', title: texts.updated }) })
  const choose = async (file: File | undefined) => {
    if (!file) return
    try {
      save(await readPicture(file))
    } catch {
      notify({ kind: 'error', title: texts.pictureUnreadable, text: texts.pictureFormats })
    }
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/*"
        hidden
        aria-label={texts.changePicture}
        onChange={({ currentTarget }) => {
          void choose(currentTarget.files?.[0])
          // The same file can be chosen again.
          currentTarget.value = ''
        }}
      />
      <Button isBusy={isPending} onClick={() => input.current?.click()}>
        <ImageUp aria-hidden className="size-4" />
        {texts.changePicture}
      </Button>
      {profile.avatar_url !== null && (
        <Button tone="quiet" disabled={isPending} onClick={() => save(null)}>
          {texts.removePicture}
        </Button>
      )}
    </>
  )
}
