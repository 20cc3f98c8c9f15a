/** The event of `window` that covers the page: `detail.message` while something loads, null when it is done. */
export const loadingEventName = 'earshot:loading'

export interface LoadingDetail {
  message: string | null
}

/** Covers the page with a message, or uncovers it. */
export function announceLoading(message: string | null): void {
  window.dispatchEvent(new CustomEvent<LoadingDetail>(loadingEventName, { detail: { message } }))
}
