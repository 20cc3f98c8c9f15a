import { joinClasses } from './class-names.ts'

const bars = [
  '[animation-delay:-0.9s]',
  '[animation-delay:-0.3s]',
  '[animation-delay:-0.65s]',
  '[animation-delay:-0.1s]',
]

/** Four bars, animated while something plays. Decorative: the state is also shown as text. */
export function Equaliser({ isPlaying, className = 'size-4' }: { isPlaying: boolean; className?: string }) {
  return (
    <span aria-hidden className={`inline-flex items-end justify-between text-brand-text ${className}`}>
      {bars.map((delay) => (
        <span
          key={delay}
          className={joinClasses(
            'h-full w-[18%] origin-bottom rounded-full bg-current',
            isPlaying ? `animate-equaliser ${delay}` : '[transform:scaleY(0.2)]',
          )}
        />
      ))}
    </span>
  )
}
