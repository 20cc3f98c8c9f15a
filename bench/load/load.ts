import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { LoadTaskName, LoadTasks, TaskReply } from './load-tasks.ts'

/** The process with the many connections; its tasks are described in `load-tasks.ts`. */
export interface Load {
  pid: number
  run<Name extends LoadTaskName>(
    name: Name,
    input: LoadTasks[Name]['input'],
  ): Promise<LoadTasks[Name]['result']>
  stop(): Promise<void>
}

/** Starts it. A task that fails there rejects here. */
export async function startLoad(): Promise<Load> {
  const child = fork(join(import.meta.dirname, 'load-process.ts'), { serialization: 'advanced' })
  const waiting = new Map<number, (reply: TaskReply) => void>()
  let tasks = 0
  child.on('message', (reply: TaskReply) => waiting.get(reply.id)?.(reply))
  child.on('exit', (code) => {
    for (const [id, answer] of waiting) answer({ id, failure: `The load process ended with code ${code}` })
  })
  await once(child, 'spawn')
  return {
    pid: child.pid ?? 0,
    run: (name, input) =>
      new Promise((resolve, reject) => {
        const id = (tasks += 1)
        waiting.set(id, (reply) => {
          waiting.delete(id)
          if ('failure' in reply) reject(new Error(reply.failure))
          else resolve(reply.result as LoadTasks[typeof name]['result'])
        })
        child.send({ id, name, input })
      }),
    stop: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}
