import { isLoopback, toSharedLink } from '../../api/shared-link.ts'
import { admin as texts } from '../../texts/admin.ts'
import { Button } from '../../ui/controls/button.tsx'
import { LocalLinkNotice } from '../../ui/notices/local-link-notice.tsx'
import { notify } from '../../ui/notices/notify.ts'

/** Shows a link as text, which can be selected where the clipboard is not available, with a button to copy it. */
export function LinkToCopy({ link: given, text }: { link: string; text: string }) {
  const link = toSharedLink(given)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link)
      notify({ kind: 'success', title: texts.copied })
    } catch {
      notify({ kind: 'error', title: texts.copyFailed })
    }
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-ink-muted">{text}</p>
      <p className="rounded-md bg-page p-3 font-mono text-sm wrap-anywhere ring-1 ring-line select-all ring-inset">
        {link}
      </p>
      {isLoopback(link) && <LocalLinkNotice />}
      {'clipboard' in navigator && <Button onClick={() => void copy()}>{texts.copy}</Button>}
    </div>
  )
}
