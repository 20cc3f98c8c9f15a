import { type LucideIcon, LogOut, Plus, ShieldCheck, UserRound } from 'lucide-react'
import { useRef } from 'react'
import { Link } from 'react-router'
import type { SessionUser } from '../../api/session.tsx'
import { topBar } from '../../texts/common.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { withArrowKeys } from '../../ui/list-keys.ts'
import { useLogOut } from '../../ui/use-log-out.ts'

const popoverId = 'account-menu'
const avatarPx = 36
const itemLook =
  'flex w-full items-center gap-3 rounded-sm px-3 py-2.5 text-start text-sm hover:bg-raised focus-visible:bg-raised [&>svg]:size-4.5 [&>svg]:text-ink-muted'

/** Shows the user's avatar, which opens a native popover with the account's actions. */
export function AccountMenu({ user }: { user: SessionUser }) {
  const popover = useRef<HTMLDivElement>(null)
  const logOut = useLogOut()
  const close = () => popover.current?.hidePopover()
  return (
    <>
      <button
        type="button"
        popoverTarget={popoverId}
        aria-haspopup="menu"
        aria-label={topBar.accountMenu(user.name)}
        className="grid size-11 place-items-center rounded-full transition-transform active:scale-95"
      >
        <Avatar name={user.name} url={user.avatarUrl} size={avatarPx} />
      </button>
      <div
        ref={popover}
        id={popoverId}
        popover="auto"
        onToggle={(event) => {
          if (event.newState === 'open')
            event.currentTarget.querySelector<HTMLElement>('[role=menuitem]')?.focus()
        }}
        className="start-auto end-[max(1rem,calc((100vw-90rem)/2+2.5rem))] top-[calc(var(--spacing-topbar)+0.25rem)] w-60 rounded-lg bg-surface p-1.5 text-ink shadow-lift ring-1 ring-line ring-inset"
      >
        <div className="mb-1.5 border-b border-line px-3 pt-2 pb-3">
          <p dir="auto" className="truncate text-sm font-medium">
            {user.name}
          </p>
          <p dir="auto" className="truncate text-xs text-ink-muted">
            {user.email}
          </p>
        </div>
        <ul role="menu" aria-label={topBar.accountMenu(user.name)} ref={withArrowKeys}>
          <MenuLink to="/profile" icon={UserRound} title={topBar.profile} onClick={close} />
          <MenuLink to="/create-room" icon={Plus} title={topBar.createRoom} onClick={close} />
          {user.isAdmin && (
            <MenuLink to="/admin" icon={ShieldCheck} title={topBar.administration} onClick={close} />
          )}
          <li role="none">
            <button
              type="button"
              role="menuitem"
              onClick={() => {
                close()
                void logOut()
              }}
              className={itemLook}
            >
              <LogOut aria-hidden />
              {topBar.logout}
            </button>
          </li>
        </ul>
      </div>
    </>
  )
}

interface MenuLinkProps {
  to: string
  icon: LucideIcon
  title: string
  onClick: () => void
}

function MenuLink({ to, icon: Icon, title, onClick }: MenuLinkProps) {
  return (
    <li role="none">
      <Link to={to} role="menuitem" onClick={onClick} className={itemLook}>
        <Icon aria-hidden />
        {title}
      </Link>
    </li>
  )
}
