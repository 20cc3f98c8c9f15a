/** The product's logo. */
export function BrandMark({ className = 'size-8' }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" fill="none" aria-hidden className={`text-brand ${className}`}>
      <circle cx="7.5" cy="24.5" r="3.5" fill="currentColor" />
      <path
        d="M7.5 15a9.5 9.5 0 0 1 9.5 9.5M7.5 6A18.5 18.5 0 0 1 26 24.5"
        stroke="currentColor"
        strokeWidth="3.5"
        strokeLinecap="round"
      />
    </svg>
  )
}
