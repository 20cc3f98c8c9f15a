import { Menu, Moon, Sun, X } from 'lucide-react'
import { Link, NavLink, useLocation } from 'react-router'
import { useSession } from '../../api/session.tsx'
import { productName, topBar } from '../../texts/common.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { buttonLook } from '../../ui/controls/button.tsx'
import { useColourMode } from '../../ui/page/colour-mode.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { LanguageButton, LanguageField } from '../../ui/controls/language-select.tsx'
import { AccountMenu } from './account-menu.tsx'
import { useOpenOnPage } from './use-open-on-page.ts'

const menuId = 'top-bar-menu'

/**
 * Shows the bar at the top of every page; on a narrow screen its links are in a menu. Opaque: blurring the page below it
 * costs 8 ms a frame without a graphics card.
 */
export function TopBar() {
  const [isOpen, setOpen] = useOpenOnPage()
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-page">
      <div className="mx-auto flex h-[calc(var(--spacing-topbar)-1px)] max-w-360 items-center gap-2 px-4 sm:px-6 lg:px-10 in-room:max-w-none lg:in-room:px-6">
        <Link
          to="/"
          className="flex min-h-11 items-center gap-2.5 rounded-full pe-2 text-xl font-semibold tracking-tight"
        >
          <BrandMark className="size-7" />
          <span className="max-[22rem]:sr-only">{productName}</span>
        </Link>
        <nav aria-label={topBar.navigation} className="ms-2 hidden items-center gap-1 md:flex lg:ms-6">
          <NavLinks />
        </nav>
        <div className="ms-auto flex items-center gap-1 sm:gap-2">
          <StrangersLanguage />
          <ColourModeToggle />
          <Account />
          <span className="md:hidden">
            <IconButton
              label={isOpen ? topBar.closeMenu : topBar.openMenu}
              aria-expanded={isOpen}
              aria-controls={menuId}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? <X aria-hidden /> : <Menu aria-hidden />}
            </IconButton>
          </span>
        </div>
      </div>
      <nav
        id={menuId}
        aria-label={topBar.navigation}
        hidden={!isOpen}
        className="absolute inset-x-0 top-full flex flex-col gap-1 border-y border-line bg-page p-3 shadow-lift md:hidden [hidden]:hidden"
      >
        <NavLinks />
        <div className="px-4 pt-2 pb-1">
          <LanguageField />
        </div>
      </nav>
    </header>
  )
}

/** Others find the choice on their profile; on a narrow screen it is in the menu. */
function StrangersLanguage() {
  const { status, user } = useSession()
  if (status === 'loading' || (user && !user.isGuest)) return null
  return <LanguageButton className="hidden md:grid" />
}

function Account() {
  const { status, user } = useSession()
  const { pathname, search, hash, state } = useLocation()
  if (user && !user.isGuest) return <AccountMenu user={user} />
  if (status === 'loading') return <span aria-hidden className="size-11" />
  const isThere = pathname === '/login'
  return (
    // With the fragment: it may hold an invite to the room, or to the server.
    <Link
      to={isThere ? { search, hash } : '/login'}
      state={isThere ? state : { from: pathname + search + hash }}
      className={buttonLook({ tone: 'primary', size: 'sm' })}
    >
      {topBar.signIn}
    </Link>
  )
}

function ColourModeToggle() {
  const [mode, setMode] = useColourMode()
  const isDark = mode === 'dark'
  const label = isDark ? topBar.useLightMode : topBar.useDarkMode
  return (
    <IconButton label={label} title={label} onClick={() => setMode(isDark ? 'light' : 'dark')}>
      {isDark ? <Sun aria-hidden /> : <Moon aria-hidden />}
    </IconButton>
  )
}

const links = [
  { to: '/', title: topBar.home },
  { to: '/explore', title: topBar.explore },
  { to: '/create-room', title: topBar.createRoom },
] as const

function NavLinks() {
  return links.map(({ to, title }) => (
    <NavLink
      key={to}
      to={to}
      className="rounded-full px-3 py-2 text-sm font-medium whitespace-nowrap text-ink-muted transition-colors hover:bg-raised hover:text-ink aria-[current=page]:text-ink max-md:px-4 max-md:py-3 max-md:text-base lg:px-4 pointer-coarse:py-3"
    >
      {title}
    </NavLink>
  ))
}
