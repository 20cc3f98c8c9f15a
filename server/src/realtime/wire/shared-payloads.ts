import type { RoomServer } from '../room-sockets.ts'

/** JSON that several messages contain. Each form is made when it is needed first. */
class SharedJson {
  readonly #payload: object
  #text: string | null = null
  #bytes: Buffer | null = null

  constructor(payload: object) {
    this.#payload = payload
  }

  get text(): string {
    return (this.#text ??= JSON.stringify(this.#payload))
  }

  get bytes(): Buffer {
    return (this.#bytes ??= Buffer.from(this.text))
  }
}

/** An answer of which all but the first and last characters is shared with others. */
export class SharedAnswer {
  readonly #start: string
  readonly #json: SharedJson

  constructor(id: number, json: SharedJson) {
    this.#start = `${answerType}${id}[{"ok":true,"data":`
    this.#json = json
  }

  toString(): string {
    return `${this.#start}${this.#json.text}${answerEnd}`
  }

  /** Returns `prefix` and the answer, in parts of which the long one is shared. */
  toBytes(prefix: string): Buffer[] {
    return [Buffer.from(prefix + this.#start), this.#json.bytes, Buffer.from(answerEnd)]
  }
}

/** Types of packets (Socket.IO protocol 5). */
const [eventType, answerType] = [2, 3]
const answerEnd = '}]'

const shared = new WeakMap<object, SharedJson>()

/**
 * Marks a payload that is sent in several packets, such as the snapshot for all who join at once: it is encoded once. It
 * must not change afterwards.
 */
export function shareEncoding<Payload extends object>(payload: Payload): Payload {
  if (!shared.has(payload)) shared.set(payload, new SharedJson(payload))
  return payload
}

/** A packet before it is encoded, as far as it is used here. */
interface Packet {
  type: number
  nsp: string
  id?: number
  data?: unknown
}

/**
 * Makes a server encode shared payloads once. Its answers with one are a `SharedAnswer`, which `writeDirectly` sends
 * without copying it; whatever else gets one converts it to a string.
 */
export function encodeSharedOnce(io: RoomServer): void {
  const { encoder } = io
  const encode = encoder.encode.bind(encoder)
  encoder.encode = (packet) => encodeShared(packet) ?? encode(packet)
}

/** Returns null for packets without a shared payload. */
function encodeShared({ type, nsp, id, data }: Packet): unknown[] | null {
  if (nsp !== '/' || !Array.isArray(data)) return null
  const [first, second] = data as unknown[]
  if (type === eventType && id === undefined && data.length === 2) {
    const json = findShared(second)
    return json && [`${eventType}[${JSON.stringify(first)},${json.text}]`]
  }
  if (type === answerType && id !== undefined && data.length === 1) {
    const json = findShared(dataOf(first))
    return json && [new SharedAnswer(id, json)]
  }
  return null
}

/** Returns the data of a successful answer. */
function dataOf(answer: unknown): unknown {
  const { ok, data } = (answer ?? {}) as { ok?: unknown; data?: unknown }
  return ok === true ? data : null
}

function findShared(payload: unknown): SharedJson | null {
  return typeof payload === 'object' && payload !== null ? (shared.get(payload) ?? null) : null
}
