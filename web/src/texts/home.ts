/** The texts of the home page and of Explore. */

export const home = {
  title: 'Available Rooms',
  heroTitle: ['One room.', 'One song.', 'The same second.'],
  heroText: 'Open a room, share the link, press play. Everyone hears the same music at the same moment.',
  createRoom: 'Create Room',
  myProfile: 'My Profile',
  searchRooms: 'Search rooms...',
  searchLabel: 'Search rooms',
  clearSearch: 'Clear search',
  publicRoom: 'Public room',
  privateRoom: 'Private room',
  listeners: (count: number) => (count === 1 ? '1 listener' : `${count} listeners`),
  joinRoom: 'Join Room',
  joinRoomNamed: (name: string) => `Join Room: ${name}`,
  nothingPlaying: 'Nothing playing yet',
  hiddenTrack: 'Listening privately',
  paused: 'Paused',
  playing: 'Playing now',
  empty: 'No rooms available',
  emptyText: 'Create a new room to get started',
  noMatch: (query: string) => `No rooms match “${query}”`,
  noMatchText: 'Try another name, or create a new room.',
  errorTitle: 'Error loading rooms',
  errorToast: 'Could not load the available rooms. Please try again.',
  errorText: 'Failed to load rooms. Please try again later.',
  refresh: 'Refresh',
}

export const explore = {
  title: 'Explore Rooms',
  text: 'Public rooms. Those that are playing come first.',
  filter: 'Playing from',
  all: 'All sources',
  showMore: 'Show more rooms',
  noneOf: (source: string) => `No public room is playing from ${source}`,
  noneText: 'Choose another source, or create a room.',
}
