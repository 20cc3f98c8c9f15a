/**
 * Preloaded into a server process (NODE_OPTIONS=--import): the clock of its machine is wrong by CLOCK_WRONG_BY_MS,
 * and jumps by CLOCK_JUMP_MS at SIGUSR2. Elapsed time is right, as on a machine whose clock is set.
 */
const Machine = Date
const origin = performance.timeOrigin
let wrongByMs = Number(process.env['CLOCK_WRONG_BY_MS'] ?? 0)
const now = (): number => Machine.now() + wrongByMs

globalThis.Date = new Proxy(Machine, {
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  construct: (target, args: unknown[], asked) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, asked) as Date,
  apply: () => new Machine(now()).toString(),
})
Object.defineProperty(performance, 'timeOrigin', { get: () => origin + wrongByMs })
process.on('SIGUSR2', () => {
  wrongByMs += Number(process.env['CLOCK_JUMP_MS'] ?? 0)
})
