/** The product's logo: an e around a sound. `public/icon.svg` shows the same. */
export function BrandMark({ className = 'size-8' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden className={`text-brand ${className}`}>
      <path
        d="M25.2 21.5A10.7 10.7 0 1 1 26.7 16H12"
        stroke="currentColor"
        strokeWidth="3.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="13" cy="16" r="3.4" fill="currentColor" />
    </svg>
  )
}
