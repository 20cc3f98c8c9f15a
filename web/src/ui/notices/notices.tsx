import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, Info, TriangleAlert, X, type LucideIcon } from 'lucide-react'
import { directionOf } from '@earshot/core/protocol/languages'
import { common } from '../../texts/common.ts'
import { language } from '../../texts/language.ts'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useStore } from 'zustand'
import { useMediaQuery } from '../page/media-query.ts'
import { noticesPlace } from './notices-place.ts'
import { useReturnedFocus } from './returned-focus.ts'
import { deliverNotices, type NoticeKind } from './notify.ts'

const shownAtOnce = 5
/** Where the notices are, and leave to. */
const toEdge = directionOf(language) === 'rtl' ? 'left' : 'right'

const icons: Record<NoticeKind, LucideIcon> = {
  success: CircleCheck,
  info: Info,
  warning: TriangleAlert,
  error: CircleAlert,
}
const colours: Record<NoticeKind, string> = {
  success: 'text-brand-text',
  info: 'text-ink-muted',
  warning: 'text-caution',
  error: 'text-video',
}

/** At the top right; in a room at the right of the stage, and beside a dialog that is open. */
const besideContent =
  'start-4 end-4 top-[calc(var(--spacing-topbar)+0.75rem)] mx-(--notch) sm:start-auto sm:w-92 beside:in-room:end-[calc(var(--spacing-rail)+1rem)] beside:in-room:top-[calc(var(--spacing-topbar)+4rem)] beside:in-room:w-72 lg:in-dialog:w-72 beside:in-room:in-dialog:end-4'
const inAColumn = 'flex flex-col gap-2.5'
/** The next takes the place of the one that leaves. */
const oneAtATime = 'grid items-start *:[grid-area:1/1]'
/** As high as the top bar of a room. */
const overTopBar = 'inset-x-2 top-0 mx-auto mt-0.5 max-w-104'

const isPhoneQuery = '(width < 40rem)'

/** Shows notices, newest first. On a phone, where each covers the page, and over the top bar only the newest. */
export function Notices() {
  const { isTopBar } = useStore(noticesPlace)
  const isPhone = useMediaQuery(isPhoneQuery)
  const isSingle = isTopBar || isPhone
  const { returnFocus, ...focusHandlers } = useReturnedFocus()
  return (
    <Toast.Provider limit={isSingle ? 1 : shownAtOnce}>
      <Toast.Portal>
        <Toast.Viewport
          {...focusHandlers}
          aria-label={common.notifications}
          className={`fixed z-50 outline-none ${isSingle ? oneAtATime : inAColumn} ${isTopBar ? overTopBar : besideContent}`}
        >
          <NoticeList isTopBar={isTopBar} onGone={returnFocus} />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

interface NoticeListProps {
  isTopBar: boolean
  /** Called when there are fewer notices than before. */
  onGone: () => void
}

function NoticeList({ isTopBar, onGone }: NoticeListProps) {
  const { toasts, add, update, close } = Toast.useToastManager<NoticeData>()
  useEffect(() => {
    let newestId: string | null = null
    return deliverNotices({
      show({ id, kind, title, text, durationMs, action, onClose }) {
        const run = () => {
          close(id)
          action?.run()
        }
        const actionProps = action && { children: action.label, onClick: run }
        if (id !== newestId) {
          // An earlier notice of the topic would keep its place behind newer ones. Closing it would tell that it is over.
          update(id, { onClose: undefined })
          close(id)
        }
        newestId = id
        const data = { durationMs }
        add({ id, type: kind, title, description: text, timeout: durationMs, actionProps, onClose, data })
      },
      close,
    })
  }, [add, update, close])
  const reportGone = useEffectEvent(onGone)
  const countBefore = useRef(0)
  useEffect(() => {
    if (toasts.length < countBefore.current) reportGone()
    countBefore.current = toasts.length
  }, [toasts.length])
  return toasts.map((toast) => <NoticeItem key={toast.id} toast={toast} isTopBar={isTopBar} />)
}

interface NoticeData {
  durationMs: number
}

interface NoticeItemProps {
  toast: Toast.Root.ToastObject<NoticeData>
  isTopBar: boolean
}

function NoticeItem({ toast, isTopBar }: NoticeItemProps) {
  const kind = isNoticeKind(toast.type) ? toast.type : 'info'
  const Icon = icons[kind]
  useWholeTime(toast)
  return (
    <Toast.Root
      toast={toast}
      swipeDirection={[toEdge, 'up']}
      className="relative w-full translate-x-(--toast-swipe-movement-x) rounded-lg bg-surface shadow-lift ring-1 ring-line transition duration-250 ease-calm ring-inset data-ending-style:translate-x-8 data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-x-8 data-starting-style:opacity-0 rtl:data-ending-style:-translate-x-8 rtl:data-starting-style:-translate-x-8"
    >
      <Toast.Content
        className={`flex ${isTopBar ? 'min-h-11 items-center gap-2 px-3' : 'items-start gap-3 p-4'}`}
      >
        <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${colours[kind]}`} />
        <div className={`min-w-0 flex-1 ${isTopBar ? 'line-clamp-3 text-xs/4' : 'text-sm'}`}>
          {/* Only the lines of blocks within it are counted. */}
          <div>
            <Toast.Title className={`font-semibold ${isTopBar ? 'inline' : ''}`} />{' '}
            <Toast.Description className={`wrap-anywhere text-ink-muted ${isTopBar ? 'inline' : ''}`} />
          </div>
        </div>
        <Toast.Action className="-my-1.5 min-h-8 shrink-0 rounded-full px-3 text-sm font-semibold text-brand-text hover:bg-raised pointer-coarse:min-h-11" />
        <Toast.Close
          aria-label={common.close}
          className="-m-1.5 grid size-8 shrink-0 place-items-center rounded-full text-ink-muted hover:bg-raised hover:text-ink pointer-coarse:-m-2.5 pointer-coarse:size-11"
        >
          <X aria-hidden className="size-4" />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  )
}

/** Shows a notice with a button for its whole time: while newer ones hide it, its time stands still, and then begins anew. */
function useWholeTime({ id, limited = false, actionProps, data }: NoticeItemProps['toast']): void {
  const { update } = Toast.useToastManager()
  const isHeld = limited && actionProps !== undefined
  const wasHeld = useRef(false)
  useEffect(() => {
    if (isHeld) update(id, { timeout: 0 })
    else if (wasHeld.current) update(id, { timeout: data?.durationMs })
    wasHeld.current = isHeld
  }, [isHeld, id, data?.durationMs, update])
}

function isNoticeKind(type: string | undefined): type is NoticeKind {
  return type !== undefined && type in icons
}
