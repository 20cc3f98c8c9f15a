import { useMutation, useQueryClient } from '@tanstack/react-query'
import { admin as texts } from '../../texts/admin.ts'
import { notify } from '../../ui/notices/notify.ts'
import { describeError } from '../../api/describe-error.ts'

/** Runs a change of the administration; then its lists are read again. A failure is shown. */
export function useAdminAction<Input, Output>(run: (input: Input) => Promise<Output>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['admin'] }),
    onError: (error) => notify({ kind: 'error', title: texts.failed, text: describeError(error) }),
  })
}
