/** The texts of the chat. */

export const chat = {
  title: 'Chat',
  messages: 'Messages',
  placeholder: 'Say something...',
  inputLabel: 'Message',
  send: 'Send',
  empty: 'No messages yet',
  emptyText: 'Say hello to everyone in the room.',
  loadingOlder: 'Loading older messages...',
  newMessages: (count: number) =>
    count === 1 ? '1 new message' : `${count > 99 ? '99+' : count} new messages`,
  latestMessages: 'Latest messages',
  olderFailedText: 'Could not load older messages.',
  sending: 'Sending',
  waitsForConnection: 'Will be sent when you are connected again.',
  notSent: 'Not sent.',
  retry: 'Retry',
  discard: 'Discard',
  showAll: 'Show all',
  tooFast: (seconds: number) => `You are writing fast. Next message in ${seconds} s`,
  tooLong: (count: number) => (count === 1 ? '1 character too many' : `${count} characters too many`),
  charactersLeft: (count: number) => (count === 1 ? '1 character left' : `${count} characters left`),
  outboxFull: 'Earlier messages are still waiting to be sent.',
}
