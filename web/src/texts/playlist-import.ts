/** The preview of a playlist, and its import into the queue. */

export const playlistImport = {
  chooseTracks: 'Choose tracks',
  tracks: (count: number) => (count === 1 ? '1 track' : `${count} tracks`),
  by: (owner: string) => `by ${owner}`,
  list: 'Tracks of the playlist',
  failed: 'The playlist could not be loaded',
  empty: 'This playlist has no tracks that can be added',
  loadingRest: (loaded: number, total: number | null) =>
    total === null ? `Loading: ${loaded} tracks so far...` : `Loading: ${loaded} of ${total} tracks...`,
  restFailed: 'Some tracks could not be loaded.',
  loadRest: 'Load the rest',
  cutOff: (count: number) => `Only the first ${count} tracks are shown: a queue holds no more.`,
  skipped: (count: number) => (count === 1 ? '1 entry cannot be added' : `${count} entries cannot be added`),
  selectAll: 'Select all',
  selectNone: 'Select none',
  selected: (count: number) => (count === 1 ? '1 selected' : `${count} selected`),
  showMore: (count: number) => (count === 1 ? 'Show 1 more track' : `Show ${count} more tracks`),
  add: (count: number) => (count === 1 ? 'Add 1 track' : `Add ${count} tracks`),
  adding: (done: number, total: number) => `Adding ${done} of ${total}...`,
  progress: 'Tracks added',
  cancel: 'Cancel',
  cancelling: 'Stopping...',
  done: (count: number) => (count === 1 ? '1 track is in the queue' : `${count} tracks are in the queue`),
  stopped: (waiting: number) =>
    waiting === 1 ? '1 track was not added yet' : `${waiting} tracks were not added yet`,
  refused: (count: number) =>
    count === 1 ? '1 track could not be added' : `${count} tracks could not be added`,
  retry: (count: number) => (count === 1 ? 'Try 1 track again' : `Try ${count} tracks again`),
  resume: (count: number) => (count === 1 ? 'Add the last track' : `Add the other ${count}`),
  outcomes: {
    added: 'Added',
    already_added: 'Already in the queue',
    not_found: 'Not found',
    not_playable: 'Not playable in rooms',
    queue_full: 'The queue is full',
    too_many_waiting: 'You have too many waiting',
  },
  waiting: 'Waiting',
  otherOutcome: 'Not added',
}
