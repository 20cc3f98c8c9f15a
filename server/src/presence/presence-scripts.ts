import { silentAfterCues } from './presence.ts'

/**
 * Lua scripts of presence-redis.ts. The first argument is the prefix of all keys. The scripts build the keys, so they
 * need one Redis server (or a primary with replicas), not a cluster.
 */

/** Lifetime of readiness marks: who loaded the next track has, until the current one ends. */
const readyLifetimeMs = 86_400_000

/**
 * Marks a lease as disconnected. A user without a connection is not ready, as a page that comes back loads anew, and has no
 * vote.
 */
const disconnectLease = `
local function disconnect_lease(base, user, holder)
  redis.call('SREM', base .. ':live:' .. user, holder)
  if redis.call('SCARD', base .. ':live:' .. user) > 0 then return end
  redis.call('ZREM', base .. ':answered', user)
  redis.call('ZREM', base .. ':ready', user)
  redis.call('ZREM', base .. ':votes', user)
end
`

/** Removes a lease; returns true if it was the user's last in the room. */
const removeLease = `
${disconnectLease}
local prefix = ARGV[1]
local function remove_lease(room, user, holder)
  redis.call('ZREM', prefix .. ':seats', room .. ' ' .. user .. ' ' .. holder)
  local base = prefix .. ':' .. room
  disconnect_lease(base, user, holder)
  if redis.call('SREM', base .. ':held:' .. user, holder) == 0 then return false end
  if redis.call('SCARD', base .. ':held:' .. user) > 0 then return false end
  redis.call('ZREM', base .. ':order', user)
  redis.call('HDEL', base .. ':users', user)
  if redis.call('EXISTS', base .. ':order') == 0 then redis.call('DEL', base .. ':cues') end
  return true
end
`

/**
 * ARGV: prefix, now, expiry, then room, user, holder, member and "1" (connected) or "0" of each lease. Returns the
 * indexes (from 0) of the leases whose user was not present.
 */
export const acquireScript = `
${disconnectLease}
local prefix, now, expiry = ARGV[1], ARGV[2], ARGV[3]
local newcomers = {}
for i = 4, #ARGV, 5 do
  local room, user, holder = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  local base = prefix .. ':' .. room
  redis.call('ZADD', prefix .. ':seats', expiry, room .. ' ' .. user .. ' ' .. holder)
  redis.call('SADD', base .. ':held:' .. user, holder)
  redis.call('HSET', base .. ':users', user, ARGV[i + 3])
  if ARGV[i + 4] == '1' then
    local cues = redis.call('GET', base .. ':cues') or 0
    if redis.call('SADD', base .. ':live:' .. user, holder) == 1 then
      redis.call('ZADD', base .. ':answered', cues, user)
    else
      redis.call('ZADD', base .. ':answered', 'NX', cues, user)
    end
  else
    disconnect_lease(base, user, holder)
  end
  if redis.call('ZADD', base .. ':order', 'NX', now, user) == 1 then
    newcomers[#newcomers + 1] = tostring((i - 4) / 5)
  end
end
return newcomers
`

const removeEach = (remove: string) => `
local gone = {}
for i = 2, #ARGV, 3 do
  if ${remove}(ARGV[i], ARGV[i + 1], ARGV[i + 2]) then
    gone[#gone + 1] = ARGV[i]
    gone[#gone + 1] = ARGV[i + 1]
  end
end
return gone
`

/** ARGV: prefix, then room, user and holder of each lease. Returns room and user of each user no longer present. */
export const releaseScript = removeLease + removeEach('remove_lease')

/** The same, and with a user's last connected lease removes those that are not connected. */
export const leaveScript = `
${removeLease}
local function leave(room, user, holder)
  if remove_lease(room, user, holder) then return true end
  local base = prefix .. ':' .. room
  if redis.call('SCARD', base .. ':live:' .. user) > 0 then return false end
  local is_gone = false
  for _, other in ipairs(redis.call('SMEMBERS', base .. ':held:' .. user)) do
    is_gone = remove_lease(room, user, other) or is_gone
  end
  return is_gone
end
${removeEach('leave')}`

/** ARGV: prefix, room, user. Returns the user if they were present. */
export const releaseUserScript = `
${removeLease}
local gone = {}
for _, holder in ipairs(redis.call('SMEMBERS', prefix .. ':' .. ARGV[2] .. ':held:' .. ARGV[3])) do
  if remove_lease(ARGV[2], ARGV[3], holder) then gone[1] = ARGV[3] end
end
return gone
`

/** ARGV: prefix, now, maximum count. Returns room and user of each user no longer present. */
export const expireScript = `
${removeLease}
local gone = {}
for _, name in ipairs(redis.call('ZRANGEBYSCORE', prefix .. ':seats', '-inf', ARGV[2], 'LIMIT', 0, ARGV[3])) do
  local room, user, holder = string.match(name, '^(%S+) (%S+) (.+)$')
  if room and remove_lease(room, user, holder) then
    gone[#gone + 1] = room
    gone[#gone + 1] = user
  end
end
return gone
`

/** ARGV: prefix, lease name, expiry. Returns one value if the lease exists. */
export const renewScript = `
local key = ARGV[1] .. ':seats'
if not redis.call('ZSCORE', key, ARGV[2]) then return {} end
redis.call('ZADD', key, ARGV[3], ARGV[2])
return { ARGV[2] }
`

/** ARGV: prefix, room, user, sequence number. */
export const markReadyScript = `
local base = ARGV[1] .. ':' .. ARGV[2]
if not redis.call('ZSCORE', base .. ':answered', ARGV[3]) then return {} end
redis.call('ZADD', base .. ':ready', ARGV[4], ARGV[3])
redis.call('PEXPIRE', base .. ':ready', ${readyLifetimeMs})
redis.call('ZADD', base .. ':answered', (redis.call('GET', base .. ':cues') or 0) + 1, ARGV[3])
return {}
`

/** Whose last answered cue is before `silent_below` is silent. */
const silentBelow = `
local base = ARGV[1] .. ':' .. ARGV[2]
local silent_below = (redis.call('GET', base .. ':cues') or 0) - ${silentAfterCues - 1}
`

const countWith = (key: string) => `
${silentBelow}
return {
  tostring(redis.call('ZCOUNT', base .. ':${key}', ARGV[3], ARGV[3])),
  tostring(redis.call('ZCOUNT', base .. ':answered', silent_below, '+inf')),
}
`

/** ARGV: prefix, room, sequence number. Returns the counts of ready users, and of connected ones who are not silent. */
export const countReadyScript = countWith('ready')

/** ARGV: prefix, room, turn. Returns the counts of votes, and of connected users who are not silent. */
export const countVotesScript = countWith('votes')

/** ARGV: prefix, room, user, turn. Returns the user, unless they are silent or not connected. */
export const setVoteScript = `
${silentBelow}
local answered = redis.call('ZSCORE', base .. ':answered', ARGV[3])
if not answered or tonumber(answered) < silent_below then return {} end
redis.call('ZADD', base .. ':votes', ARGV[4], ARGV[3])
return { ARGV[3] }
`

/** ARGV: prefix, room. */
export const recordStartScript = `
local base = ARGV[1] .. ':' .. ARGV[2]
if redis.call('EXISTS', base .. ':order') == 1 then redis.call('INCR', base .. ':cues') end
return {}
`

/** ARGV: prefix, room. Returns the count of silent users. */
export const countSilentScript = `
${silentBelow}
return { tostring(redis.call('ZCOUNT', base .. ':answered', '-inf', '(' .. silent_below)) }
`

const findConnected = (condition: string) => `
${silentBelow}
local found = {}
for i = 3, #ARGV do
  local answered = redis.call('ZSCORE', base .. ':answered', ARGV[i])
  if answered and tonumber(answered) ${condition} then found[#found + 1] = ARGV[i] end
end
return found
`

/** ARGV: prefix, room, users. Returns those who are connected and not silent. */
export const findAnsweringScript = findConnected('>= silent_below')

/** ARGV: prefix, room, users. Returns those who are silent. */
export const findSilentScript = findConnected('< silent_below')
