/**
 * The scripts of presence-redis.ts, in Lua. The first argument is always the prefix of all keys. Keys are made inside
 * the scripts: they need one Redis server (or a primary with replicas), not a cluster.
 */

/** How long marks of readiness are kept: a cue lasts 3 s. */
const readyLifetimeMs = 60_000

/** Nobody is connected at a seat any more. Whoever has no socket is not ready either: a page that comes back loads anew. */
const disconnectSeat = `
local function disconnect_seat(base, user, seat)
  redis.call('SREM', base .. ':live:' .. user, seat)
  if redis.call('SCARD', base .. ':live:' .. user) > 0 then return end
  redis.call('SREM', base .. ':connected', user)
  redis.call('ZREM', base .. ':ready', user)
end
`

/** Frees a seat; true where it was the user's last one in the room. */
const freeSeat = `
${disconnectSeat}
local prefix = ARGV[1]
local function free_seat(room, user, seat)
  redis.call('ZREM', prefix .. ':seats', room .. ' ' .. user .. ' ' .. seat)
  local base = prefix .. ':' .. room
  disconnect_seat(base, user, seat)
  if redis.call('SREM', base .. ':held:' .. user, seat) == 0 then return false end
  if redis.call('SCARD', base .. ':held:' .. user) > 0 then return false end
  redis.call('ZREM', base .. ':order', user)
  redis.call('HDEL', base .. ':users', user)
  return true
end
`

/**
 * ARGV: prefix, now, expiry, then room, user, seat, member and "1" (connected) or "0" of each. Answers the indexes
 * (from 0) of newcomers.
 */
export const holdScript = `
${disconnectSeat}
local prefix, now, expiry = ARGV[1], ARGV[2], ARGV[3]
local newcomers = {}
for i = 4, #ARGV, 5 do
  local room, user, seat = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local base = prefix .. ':' .. room
  redis.call('ZADD', prefix .. ':seats', expiry, room .. ' ' .. user .. ' ' .. seat)
  redis.call('SADD', base .. ':held:' .. user, seat)
  redis.call('HSET', base .. ':users', user, ARGV[i + 3])
  if ARGV[i + 4] == '1' then
    redis.call('SADD', base .. ':live:' .. user, seat)
    redis.call('SADD', base .. ':connected', user)
  else
    disconnect_seat(base, user, seat)
  end
  if redis.call('ZADD', base .. ':order', 'NX', now, user) == 1 then
    newcomers[#newcomers + 1] = tostring((i - 4) / 5)
  end
end
return newcomers
`

/** ARGV: prefix, then room, user and seat of each. Answers room and user of whoever is gone. */
export const releaseScript = `
${freeSeat}
local gone = {}
for i = 2, #ARGV, 3 do
  if free_seat(ARGV[i], ARGV[i + 1], ARGV[i + 2]) then
    gone[#gone + 1] = ARGV[i]
    gone[#gone + 1] = ARGV[i + 1]
  end
end
return gone
`

/** ARGV: prefix, room, user. Answers the user where they were there. */
export const releaseUserScript = `
${freeSeat}
local gone = {}
for _, seat in ipairs(redis.call('SMEMBERS', prefix .. ':' .. ARGV[2] .. ':held:' .. ARGV[3])) do
  if free_seat(ARGV[2], ARGV[3], seat) then gone[1] = ARGV[3] end
end
return gone
`

/** ARGV: prefix, now, how many at most. Answers room and user of whoever is gone. */
export const expireScript = `
${freeSeat}
local gone = {}
for _, name in ipairs(redis.call('ZRANGEBYSCORE', prefix .. ':seats', '-inf', ARGV[2], 'LIMIT', 0, ARGV[3])) do
  local room, user, seat = string.match(name, '^(%S+) (%S+) (.+)$')
  if room and free_seat(room, user, seat) then
    gone[#gone + 1] = room
    gone[#gone + 1] = user
  end
end
return gone
`

/** ARGV: prefix, seat name, expiry. Answers one value where the seat is held. */
export const extendScript = `
local seats = ARGV[1] .. ':seats'
if not redis.call('ZSCORE', seats, ARGV[2]) then return {} end
redis.call('ZADD', seats, ARGV[3], ARGV[2])
return { ARGV[2] }
`

/** ARGV: prefix, room, user, sequence number. */
export const markReadyScript = `
local base = ARGV[1] .. ':' .. ARGV[2]
if redis.call('SISMEMBER', base .. ':connected', ARGV[3]) == 0 then return {} end
redis.call('ZADD', base .. ':ready', ARGV[4], ARGV[3])
redis.call('PEXPIRE', base .. ':ready', ${readyLifetimeMs})
return {}
`

/** ARGV: prefix, room, sequence number. Answers how many are ready for that number, and how many are connected. */
export const countReadyScript = `
local base = ARGV[1] .. ':' .. ARGV[2]
return {
  tostring(redis.call('ZCOUNT', base .. ':ready', ARGV[3], ARGV[3])),
  tostring(redis.call('SCARD', base .. ':connected')),
}
`
