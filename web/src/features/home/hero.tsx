import { Link } from 'react-router'
import { home } from '../../texts/home.ts'
import { buttonLook } from '../../ui/controls/button.tsx'
import { joinClasses } from '../../ui/class-names.ts'

const radii = [70, 130, 190, 250, 310, 370]
const delays = [
  '[animation-delay:0s]',
  '[animation-delay:0.35s]',
  '[animation-delay:0.7s]',
  '[animation-delay:1.05s]',
  '[animation-delay:1.4s]',
  '[animation-delay:1.75s]',
]

/** Introduces the product, with links to create a room and to the profile; small for those who know it. */
export function Hero({ isSmall }: { isSmall: boolean }) {
  return (
    <section
      className={joinClasses(
        'relative isolate mt-4 overflow-hidden rounded-2xl bg-page px-6 text-ink scheme-dark ring-1 ring-line sm:mt-6 sm:px-12',
        isSmall ? 'py-7' : 'py-10 sm:py-14 lg:px-16 lg:py-16',
      )}
    >
      <div aria-hidden className="absolute inset-0 -z-20 hero-glow" />
      <SoundRings />
      <div className="max-w-152">
        <h1 className={joinClasses('font-semibold tracking-tight', isSmall ? 'text-2xl' : 'text-display')}>
          {home.heroTitle.map((line) => (
            <span key={line} className={isSmall ? '' : 'block'}>
              {line}{' '}
            </span>
          ))}
        </h1>
        {!isSmall && <p className="mt-5 max-w-116 text-lg text-pretty text-ink-muted">{home.heroText}</p>}
        <div className={joinClasses('flex flex-wrap gap-3', isSmall ? 'mt-5' : 'mt-8')}>
          <Link to="/create-room" className={buttonLook({ tone: 'primary', size: 'lg' })}>
            {home.createRoom}
          </Link>
          <Link to="/profile" className={buttonLook({ tone: 'secondary', size: 'lg' })}>
            {home.myProfile}
          </Link>
        </div>
      </div>
    </section>
  )
}

/** Draws animated rings that suggest spreading sound. */
function SoundRings() {
  return (
    <svg
      aria-hidden
      viewBox="-400 -400 800 800"
      fill="none"
      className="absolute -end-64 top-1/2 -z-10 w-200 -translate-y-1/2 text-brand max-lg:-end-96 max-lg:opacity-60 max-sm:top-0 max-sm:opacity-35"
    >
      <circle r="22" fill="currentColor" />
      {radii.map((radius, index) => (
        <circle
          key={radius}
          r={radius}
          stroke="currentColor"
          strokeWidth={2.5 - index * 0.3}
          className={`animate-ring ${delays[index]}`}
        />
      ))}
    </svg>
  )
}
