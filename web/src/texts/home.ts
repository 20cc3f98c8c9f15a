import { named } from './grammar/named.ts'

/** The texts of the home page, and of rooms in a list. */

export const home = {
  title: 'Available Rooms',
  onlyOwn: 'Nobody else has a room open right now.',
  ownRooms: 'Your rooms',
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
  showMore: 'Show more rooms',
  joinRoom: 'Join Room',
  joinRoomNamed: (name: string) => named`Join Room: ${name}`,
  nothingPlaying: 'Nothing playing yet',
  hiddenTrack: 'Listening privately',
  paused: 'Paused',
  playing: 'Playing now',
  empty: 'No rooms available',
  emptyText: 'Create a new room to get started',
  noMatch: (query: string) => named`No rooms match “${query}”`,
  errorTitle: 'Error loading rooms',
  errorToast: 'Could not load the available rooms. Please try again.',
  errorText: 'Failed to load rooms. Please try again later.',
  refresh: 'Refresh',
}
