import { LogOut, Plus, ShieldCheck, UserRound } from 'lucide-react'
import type { SessionUser } from '../../api/session.tsx'
import { topBar } from '../../texts/common.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Menu } from '../../ui/popups/menu.tsx'
import { useLogOut } from '../../ui/page/use-log-out.ts'
import { useOpenOnPage } from './use-open-on-page.ts'

const avatarPx = 36

/** Shows the user's avatar, which opens a menu with the account's actions. */
export function AccountMenu({ user }: { user: SessionUser }) {
  const logOut = useLogOut()
  const [isOpen, setOpen] = useOpenOnPage()
  return (
    <Menu
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          aria-label={topBar.accountMenu(user.name)}
          className="grid size-11 place-items-center rounded-full transition-transform active:scale-95"
        >
          <Avatar name={user.name} url={user.avatarUrl} size={avatarPx} />
        </button>
      }
      heading={[user.name, user.email]}
      choices={[
        { icon: UserRound, text: topBar.profile, to: '/profile' },
        { icon: Plus, text: topBar.createRoom, to: '/create-room' },
        ...(user.isAdmin ? [{ icon: ShieldCheck, text: topBar.administration, to: '/admin' }] : []),
        { icon: LogOut, text: topBar.logout, onChoose: () => void logOut() },
      ]}
    />
  )
}
