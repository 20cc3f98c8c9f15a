/** The process with the many connections of a measurement: apart from the measured processes, so as not to disturb them. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import pLimit from 'p-limit'
import { connectToProduct, connectToBaseline, type Connection } from './connections.ts'
import type { JoinOutcome, LoadTaskName, LoadTasks, TaskReply, TaskRequest } from './load-tasks.ts'
import { toLoopDelay } from './loop-delay.ts'
import { createRecorder, type Recorder } from './arrival-recorder.ts'
import { simulatePages } from './simulated-pages.ts'
import { startSearches } from './searches.ts'

interface Group {
  connections: Connection[]
  recorder: Recorder
  stopSimulation: () => void
}

const openedAtATime = 20
const groups = new Map<string, Group>()
const loopDelay = monitorEventLoopDelay()
loopDelay.enable()
let stopSearches = async (): Promise<number[]> => []

const tasks: {
  [Name in LoadTaskName]: (
    input: LoadTasks[Name]['input'],
  ) => Promise<LoadTasks[Name]['result']> | LoadTasks[Name]['result']
} = {
  open: async ({ group, url, cookies, count }) => {
    const { connections, recorder } = findOrMakeGroup(group)
    const first = connections.length
    const places = Array.from({ length: count }, (_, index) => first + index)
    const opened = await pLimit(openedAtATime).map(places, (place) => {
      const onEvent = (frame: string) => recorder.noteEvent(place, frame)
      const cookie = cookies[place % cookies.length]
      return cookie === undefined ? connectToBaseline(url, onEvent) : connectToProduct(url, cookie, onEvent)
    })
    connections.push(...opened)
    return null
  },
  join: ({ group, roomIds, isAtOnce, from = 0 }) =>
    joinAll(findGroup(group).connections.slice(from), roomIds, isAtOnce),
  simulatePages: ({ group, roomIds }) => {
    const found = findGroup(group)
    found.stopSimulation = simulatePages(found.connections, roomIds)
    return null
  },
  startRecording: ({ group }) => {
    const { recorder, connections } = findGroup(group)
    recorder.start(connections)
    return null
  },
  stopRecording: ({ group }) => {
    const { recorder, connections } = findGroup(group)
    return recorder.stop(connections)
  },
  close: ({ group }) => {
    const { connections, stopSimulation } = findGroup(group)
    stopSimulation()
    for (const connection of connections) connection.close()
    groups.delete(group)
    return null
  },
  readLoopDelay: () => {
    const delay = toLoopDelay(loopDelay.percentile(99) / 1e6, loopDelay.max / 1e6)
    loopDelay.reset()
    return delay
  },
  startSearches: ({ url, people }) => {
    stopSearches = startSearches(url, people)
    return null
  },
  stopSearches: () => stopSearches(),
}

function findGroup(name: string): Group {
  const group = groups.get(name)
  if (!group) throw new Error(`No connections are called ${name}`)
  return group
}

function findOrMakeGroup(name: string): Group {
  const group = groups.get(name) ?? { connections: [], recorder: createRecorder(), stopSimulation: () => {} }
  groups.set(name, group)
  return group
}

async function joinAll(
  connections: Connection[],
  roomIds: string[],
  isAtOnce: boolean,
): Promise<JoinOutcome> {
  let answerBytes = 0
  const width = isAtOnce ? connections.length : openedAtATime
  const answeredMs = await pLimit(width).map(connections, async (connection, index) => {
    const bytesBefore = connection.received.bytes
    const elapsedMs = await connection.join(roomIds[index % roomIds.length] ?? '')
    answerBytes = Math.max(answerBytes, connection.received.bytes - bytesBefore)
    return elapsedMs
  })
  return { answeredMs, answerBytes }
}

async function run<Name extends LoadTaskName>(
  id: number,
  name: Name,
  input: LoadTasks[Name]['input'],
): Promise<TaskReply> {
  try {
    return { id, result: await tasks[name](input) }
  } catch (error) {
    return { id, failure: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

process.on('message', (request: TaskRequest) => {
  void run(request.id, request.name, request.input).then((reply) => process.send?.(reply))
})
process.on('disconnect', () => process.exit(0))
