import { Menu, X } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { useSession } from '../../api/session.tsx'
import { productName, topBar } from '../../texts.ts'
import { BrandMark } from '../../ui/brand-mark.tsx'
import { buttonLook } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { AccountMenu } from './account-menu.tsx'
import { ColourModeToggle } from './colour-mode-toggle.tsx'
import { NavLinks } from './nav-links.tsx'

const menuId = 'top-bar-menu'

/** The bar over every screen. On a narrow screen its links fold into a menu. */
export function TopBar() {
  const { pathname } = useLocation()
  const [openAt, setOpenAt] = useState<string | null>(null)
  // Another page folds the menu: it was open at the page before.
  const isOpen = openAt === pathname
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-page/85 backdrop-blur-xl">
      <div className="mx-auto flex h-(--spacing-topbar) max-w-360 items-center gap-2 px-4 sm:px-6 lg:px-10">
        <Link
          to="/"
          className="flex items-center gap-2.5 rounded-full pr-2 text-xl font-semibold tracking-tight"
        >
          <BrandMark className="size-7" />
          {productName}
        </Link>
        <nav aria-label={topBar.navigation} className="ml-6 hidden items-center gap-1 sm:flex">
          <NavLinks />
        </nav>
        <div className="ml-auto flex items-center gap-1 sm:gap-2">
          <ColourModeToggle />
          <Account />
          <span className="sm:hidden">
            <IconButton
              label={isOpen ? topBar.closeMenu : topBar.openMenu}
              aria-expanded={isOpen}
              aria-controls={menuId}
              onClick={() => setOpenAt(isOpen ? null : pathname)}
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
        className="flex flex-col gap-1 border-t border-line p-3 sm:hidden [hidden]:hidden"
      >
        <NavLinks />
      </nav>
    </header>
  )
}

function Account() {
  const { status, user } = useSession()
  const { pathname } = useLocation()
  if (user) return <AccountMenu user={user} />
  if (status === 'loading') return <span aria-hidden className="size-11" />
  if (pathname === '/login') return null
  return (
    <Link to="/login" state={{ from: pathname }} className={buttonLook({ tone: 'primary', size: 'sm' })}>
      {topBar.signIn}
    </Link>
  )
}
