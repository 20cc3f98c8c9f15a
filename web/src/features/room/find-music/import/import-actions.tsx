import { useLayoutEffect, useRef } from 'react'
import { limits } from '@earshot/core/limits'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { countImport, type ImportProgress } from '../../../../engine/import/import-progress.ts'
import { errorTexts } from '../../../../texts/errors.ts'
import { playlistImport as texts } from '../../../../texts/playlist-import.ts'
import { library } from '../../../../texts/library.ts'
import { Button } from '../../../../ui/controls/button.tsx'

interface ImportActionsProps {
  progress: ImportProgress
  selectedCount: number
  /** In place of 'Add 3 tracks'. */
  addLabel?: string
  onAdd: () => void
  /** Continues a stopped import, or tries what a full queue refused once more. */
  onRetry: () => void
  onCancel: () => void
}

/** Shows how far an import is, and the one thing to do next. */
export function ImportActions(props: ImportActionsProps) {
  return (
    <div ref={useKeptFocus(props.progress.isRunning)} tabIndex={-1} className="mt-4 outline-none">
      <Actions {...props} />
    </div>
  )
}

/** Keeps the focus in an element whose focused button was replaced. Returns the element's ref. */
function useKeptFocus(state: boolean) {
  const region = useRef<HTMLDivElement>(null)
  const shown = useRef(state)
  useLayoutEffect(() => {
    if (shown.current === state) return
    shown.current = state
    if (document.activeElement === document.body) region.current?.focus({ preventScroll: true })
  }, [state])
  return region
}

function Actions({ progress, selectedCount, addLabel, onAdd, onRetry, onCancel }: ImportActionsProps) {
  if (progress.isRunning) return <Running progress={progress} onCancel={onCancel} />
  return (
    <div className="flex flex-col gap-3">
      <Outcome progress={progress} onRetry={onRetry} />
      {(selectedCount > 0 || countImport(progress).total === 0) && (
        <Button tone="primary" isWide disabled={selectedCount === 0} onClick={onAdd}>
          {addLabel ?? texts.add(selectedCount)}
        </Button>
      )}
    </div>
  )
}

function Running({ progress, onCancel }: Pick<ImportActionsProps, 'progress' | 'onCancel'>) {
  const { total, waiting } = countImport(progress)
  const done = total - waiting
  return (
    <div className="flex items-center gap-4">
      <div className="min-w-0 flex-1">
        <output className="block text-sm">{texts.adding(done, total)}</output>
        <progress
          aria-label={texts.progress}
          max={total}
          value={done}
          className="mt-1.5 block h-1.5 w-full appearance-none overflow-hidden rounded-full bg-raised forced-color-adjust-none [&::-moz-progress-bar]:bg-brand [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-brand"
        />
      </div>
      <Button size="sm" disabled={progress.isCancelled} onClick={onCancel}>
        {progress.isCancelled ? texts.cancelling : texts.cancel}
      </Button>
    </div>
  )
}

function Outcome({ progress, onRetry }: Pick<ImportActionsProps, 'progress' | 'onRetry'>) {
  const { total, waiting, inQueue, refused, retryable, isQueueFull, isLimitReached } = countImport(progress)
  if (total === 0) return null
  return (
    <>
      <output className="flex flex-col gap-1.5 text-sm">
        {inQueue > 0 && (
          <span className="flex items-center gap-2">
            <CircleCheck aria-hidden className="size-4.5 shrink-0 text-brand-text" />
            <span>{texts.done(inQueue)}</span>
          </span>
        )}
        {refused > 0 && <Shortfall text={texts.refused(refused)} />}
        {isQueueFull && <span className="text-ink-muted">{library.queueFull(limits.queueMaxLength)}</span>}
        {isLimitReached && <span className="text-ink-muted">{errorTexts.too_many_waiting}</span>}
        {waiting > 0 && <Shortfall text={texts.stopped(waiting)} />}
        {progress.error !== null && <span className="text-ink-muted">{errorTexts[progress.error]}</span>}
      </output>
      {retryable > 0 && (
        <Button tone="soft" isWide onClick={onRetry}>
          {progress.isCancelled && progress.error === null ? texts.resume(retryable) : texts.retry(retryable)}
        </Button>
      )}
    </>
  )
}

function Shortfall({ text }: { text: string }) {
  return (
    <span className="flex items-center gap-2">
      <CircleAlert aria-hidden className="size-4.5 shrink-0 text-caution" />
      <span>{text}</span>
    </span>
  )
}
