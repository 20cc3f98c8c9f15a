/** The texts of Explore. */

export const explore = {
  title: 'Explore Rooms',
  text: 'Public rooms. Those that are playing come first.',
  filter: 'Playing from',
  all: 'All sources',
  noneOf: (source: string) => `No public room is playing from ${source}`,
  noneText: 'Choose another source, or create a room.',
}
