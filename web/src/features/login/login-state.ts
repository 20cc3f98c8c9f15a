import { z } from 'zod'

const loginStateSchema = z.object({
  from: z
    .string()
    .regex(/^\/(?!\/)/)
    .optional()
    .catch(undefined),
  message: z.string().optional().catch(undefined),
})

/** Where to go after login, and what to say first, as the page that sent the user here passed it on. */
export function readLoginState(state: unknown): { from: string; message: string | null } {
  const { data } = loginStateSchema.safeParse(state)
  return { from: data?.from ?? '/', message: data?.message ?? null }
}
