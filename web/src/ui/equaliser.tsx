import { joinClasses } from './class-names.ts'

// Without motion their heights differ.
const bars = [
  '[animation-delay:-0.9s] motion-reduce:h-1/2',
  '[animation-delay:-0.3s] motion-reduce:h-full',
  '[animation-delay:-0.65s] motion-reduce:h-3/4',
  '[animation-delay:-0.1s] motion-reduce:h-2/5',
]

/** Four bars, animated while something plays. Decorative: the state is also shown as text. */
export function Equaliser({ isPlaying, className = 'size-4' }: { isPlaying: boolean; className?: string }) {
  return (
    <span aria-hidden className={`inline-flex items-end justify-between text-brand-text ${className}`}>
      {bars.map((look) => (
        <span
          key={look}
          className={joinClasses(
            'h-full w-[18%] origin-bottom rounded-full bg-current',
            isPlaying ? `animate-equaliser ${look}` : '[transform:scaleY(0.2)]',
          )}
        />
      ))}
    </span>
  )
}
