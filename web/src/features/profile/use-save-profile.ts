import type { Profile } from '@earshot/core/protocol/entities'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { profile as texts } from '../../texts/profile.ts'
import { profileQuery } from '../../api/queries.ts'
import { notify } from '../../ui/notices/notify.ts'
import { describeError } from '../../api/describe-error.ts'

/**
 * Saves a part of the profile, one after the other, and says when it fails (8.11c). A notice of the same topic replaces
 * that.
 */
export function useSaveProfile<Change>(
  topic: string,
  userId: string,
  save: (change: Change) => Promise<Profile>,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: save,
    // Calls that overtake each other would leave the older value.
    scope: { id: 'profile' },
    onSuccess: (saved) => queryClient.setQueryData(profileQuery(userId).queryKey, saved),
    onError: (error) =>
      notify({ kind: 'error', topic, title: texts.updateFailed, text: describeError(error) }),
  })
}
