/** Which tracks of a list are selected: all or none but the exceptions, so that tracks that load later follow. */
export interface TrackSelection {
  isSelectedByDefault: boolean
  exceptions: ReadonlySet<string>
}

export const allSelected: TrackSelection = { isSelectedByDefault: true, exceptions: new Set() }
export const noneSelected: TrackSelection = { isSelectedByDefault: false, exceptions: new Set() }

export function isSelected({ isSelectedByDefault, exceptions }: TrackSelection, trackId: string): boolean {
  return isSelectedByDefault !== exceptions.has(trackId)
}

/** Selects a track or takes it out. */
export function toggle(selection: TrackSelection, trackId: string): TrackSelection {
  const exceptions = new Set(selection.exceptions)
  if (!exceptions.delete(trackId)) exceptions.add(trackId)
  return { ...selection, exceptions }
}
