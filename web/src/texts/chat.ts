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
  newMessages: 'New messages',
  failedTitle: 'Error',
  failedText: 'Could not send the message.',
  olderFailedText: 'Could not load older messages.',
}
