/** The texts of the queue. */

export const queue = {
  title: 'Queue',
  empty: 'Queue is empty',
  emptyText: 'Add a track from Find Music to see it here.',
  count: (count: number) => (count === 1 ? '1 track' : `${count} tracks`),
  remove: (title: string) => `Remove ${title} from the queue`,
  addedBy: (name: string) => `added by ${name}`,
  addedByYou: 'added by you',
  adding: 'Adding...',
  addedTitle: 'Track Added',
  addedText: (title: string) => `"${title}" added to queue`,
  addFailedTitle: 'Error',
  addFailedText: 'Could not add track to queue.',
  removeFailedTitle: 'Error',
  removeFailedText: 'Could not remove the track from the queue.',
}
