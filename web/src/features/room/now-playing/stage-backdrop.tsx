/** The cover, large, blurred and darkened behind the stage; the brand's glow where there is none. */
export function StageBackdrop({ url }: { url: string | null }) {
  if (url === null) return <div aria-hidden className="absolute inset-0 -z-20 opacity-60 hero-glow" />
  return (
    <div aria-hidden className="absolute inset-0 -z-20">
      <img
        key={url}
        src={url}
        alt=""
        className="size-full scale-125 animate-appear object-cover opacity-80 blur-3xl saturate-150"
      />
      <div className="absolute inset-0 stage-veil" />
    </div>
  )
}
