import { limits } from '@earshot/core/limits'
import type { Profile } from '@earshot/core/protocol/entities'
import { ImageUp } from 'lucide-react'
import { useRef } from 'react'
import { profile as texts } from '../../texts/profile.ts'
import { saveProfilePicture } from '../../api/account.ts'
import { Button } from '../../ui/controls/button.tsx'
import { notify } from '../../ui/notices/notify.ts'
import { useSaveProfile } from './use-save-profile.ts'

const topic = 'profile-picture'

/** Sets the user's picture from a file, or removes it. */
export function PictureButtons({ profile }: { profile: Profile }) {
  const { mutate, isPending } = useSaveProfile(topic, profile.id, saveProfilePicture)
  const input = useRef<HTMLInputElement>(null)
  const save = (image: string | null) =>
    mutate(image, { onSuccess: () => notify({ kind: 'success', topic, title: texts.updated }) })
  const choose = async (file: File | undefined) => {
    if (!file) return
    try {
      save(await readPicture(file))
    } catch {
      notify({ kind: 'error', topic, title: texts.pictureUnreadable, text: texts.pictureFormats })
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

/** Twice what the server stores: it shrinks more finely than a browser does. */
const sidePx = 2 * limits.profilePictureSidePx
/** Even noise then has fewer bytes than the server takes. */
const jpegQuality = 0.85

/**
 * Returns the middle of an image file, a square, as JPEG in base64: small enough to be sent, and without what the file tells
 * besides. Rejects where the browser cannot read it.
 */
async function readPicture(file: Blob): Promise<string> {
  const bitmap = await createImageBitmap(file)
  const side = Math.min(bitmap.width, bitmap.height)
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = sidePx
  const context = canvas.getContext('2d')
  if (!context) throw new Error('The browser draws no canvas')
  // Under what is transparent, which JPEG shows black.
  context.fillStyle = 'white'
  context.fillRect(0, 0, sidePx, sidePx)
  context.imageSmoothingQuality = 'high'
  const [left, top] = [(bitmap.width - side) / 2, (bitmap.height - side) / 2]
  context.drawImage(bitmap, left, top, side, side, 0, 0, sidePx, sidePx)
  bitmap.close()
  return canvas.toDataURL('image/jpeg', jpegQuality).replace(/^[^,]*,/, '')
}
