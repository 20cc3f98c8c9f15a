import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { callApi } from '../../api/call-api.ts'
import { readSession } from '../../api/session.tsx'
import { adminCode as texts } from '../../texts/admin.ts'
import { Button } from '../../ui/controls/button.tsx'
import { notify } from '../../ui/notices/notify.ts'
import { TextField } from '../../ui/controls/text-field.tsx'
import { PageTitle } from '../../ui/page/page-title.tsx'
import { describeError } from '../../api/describe-error.ts'

/** Asks for the one-time code that makes the first administrator (16.35). */
export function AdminCodeForm() {
  const queryClient = useQueryClient()
  const [code, setCode] = useState('')
  const [error, setError] = useState<string | null>(null)
  const { mutate, isPending } = useMutation({
    mutationFn: () => callApi('POST /api/admin/claim', { body: { code } }),
    onSuccess: () => {
      notify({ kind: 'success', title: texts.done })
      void readSession()
      return queryClient.invalidateQueries({ queryKey: ['admin'] })
    },
    onError: (failure) => setError(describeError(failure)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setError(code.trim() === '' ? texts.required : null)
    if (code.trim() !== '') mutate()
  }
  return (
    <div className="mx-auto mt-8 w-full max-w-116 rounded-2xl bg-surface p-6 ring-1 ring-line ring-inset sm:mt-16 sm:p-10">
      <PageTitle name={texts.title} />
      <h1 className="mb-4 text-2xl font-semibold tracking-tight">{texts.title}</h1>
      <form noValidate onSubmit={submit} className="flex flex-col gap-4">
        <p className="text-sm text-ink-muted">{texts.text}</p>
        <p className="rounded-md bg-page p-3 font-mono text-sm wrap-anywhere ring-1 ring-line select-all ring-inset">
          {texts.command}
        </p>
        <TextField
          label={texts.code}
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          placeholder={texts.placeholder}
          maxLength={40}
          value={code}
          error={error}
          onChange={(event) => setCode(event.target.value)}
        />
        <Button type="submit" tone="primary" isBusy={isPending}>
          {isPending ? texts.checking : texts.submit}
        </Button>
      </form>
    </div>
  )
}
