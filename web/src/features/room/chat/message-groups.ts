import type { Message } from '@earshot/core/protocol/entities'

const sameBreathMs = 5 * 60_000

/** A message as it is drawn: `opens` where it shows who says it and when. */
export interface DrawnMessage {
  message: Message
  opens: boolean
}

/** What one person says within five minutes of the message before stands under one name. Oldest first. */
export function groupMessages(messages: readonly Message[]): DrawnMessage[] {
  return messages.map((message, index) => {
    const before = messages[index - 1]
    const continues =
      before !== undefined &&
      before.user_id === message.user_id &&
      message.created_at - before.created_at < sameBreathMs
    return { message, opens: !continues }
  })
}
