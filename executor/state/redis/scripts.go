package redis

import goredis "github.com/redis/go-redis/v9"

// scripts run in Redis as one step each.
type scripts struct {
	put, remove, swap                  *goredis.Script
	reserve, giveBack, acquire, record *goredis.Script
	renew, leave                       *goredis.Script
}

func newScripts() scripts {
	return scripts{
		put:      goredis.NewScript(putScript),
		remove:   goredis.NewScript(removeScript),
		swap:     goredis.NewScript(swapScript),
		reserve:  goredis.NewScript(reserveScript),
		giveBack: goredis.NewScript(giveBackScript),
		acquire:  goredis.NewScript(acquireScript),
		record:   goredis.NewScript(recordScript),
		renew:    goredis.NewScript(renewScript),
		leave:    goredis.NewScript(leaveScript),
	}
}

// A bucket has a sorted set with the names of its entries and the ends of their lives, in
// milliseconds.
const putFunction = `
local function put(entry, index, value, life)
	local t = redis.call('TIME')
	local now, ends = t[1] * 1000 + math.floor(t[2] / 1000), '+inf'
	if life > 0 then
		redis.call('SET', entry, value, 'PX', life)
		ends = string.format('%.0f', now + life)
	else
		redis.call('SET', entry, value)
	end
	redis.call('ZADD', index, ends, entry)
	redis.call('ZREMRANGEBYSCORE', index, '-inf', '(' .. string.format('%.0f', now))
end
`

// Keys: the entry and its bucket. Arguments: the value, and its life in milliseconds or 0.
const putScript = putFunction + `put(KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2])) return 1`

const removeScript = `
redis.call('ZREM', KEYS[2], KEYS[1])
return redis.call('DEL', KEYS[1])
`

// Arguments: the value that is expected, the next one, both ” for none, and its life. It may run
// twice: no two sealed values are the same.
const swapScript = putFunction + `
local stored = redis.call('GET', KEYS[1]) or ''
if ARGV[2] ~= '' and stored == ARGV[2] then return 1 end
if stored ~= ARGV[1] then return 0 end
if ARGV[2] == '' then
	redis.call('DEL', KEYS[1])
	redis.call('ZREM', KEYS[2], KEYS[1])
else
	put(KEYS[1], KEYS[2], ARGV[2], tonumber(ARGV[3]))
end
return 1
`

// nowFunction gives the time in microseconds.
const nowFunction = `
local function now()
	local t = redis.call('TIME')
	return t[1] * 1000000 + t[2]
end
local function text(n) return string.format('%.0f', n) end
`

// The generic cell rate algorithm: an entry is when the next turn comes. Arguments, in microseconds:
// the time between two turns, how much earlier than evenly spaced a turn may come, and the longest
// wait. Returns whether the turn is taken, the wait, and the next turn.
const reserveScript = nowFunction + `
local now = now()
local turn = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local wait = math.max(turn - tonumber(ARGV[2]) - now, 0)
if wait > tonumber(ARGV[3]) then return {'0', text(wait), ''} end
local next = turn + tonumber(ARGV[1])
redis.call('SET', KEYS[1], text(next), 'PX', text(math.ceil((next - now) / 1000) + 1))
return {'1', text(wait), text(next)}
`

// Arguments: the next turn as it was after the reservation, and the time between two turns.
const giveBackScript = nowFunction + `
if redis.call('GET', KEYS[1]) == ARGV[1] then
	redis.call('SET', KEYS[1], text(tonumber(ARGV[1]) - tonumber(ARGV[2])), 'KEEPTTL')
end
return {}
`

// A circuit is a hash: the failures in a row, or until when it is open, and until when the one call on
// trial has time. Arguments: that time in microseconds. Returns the state, how long it is still open,
// and whether a call may be made.
const acquireScript = nowFunction + `
local now = now()
local open = tonumber(redis.call('HGET', KEYS[1], 'open') or nil)
if not open then return {'closed', '0', '1'} end
if now < open then return {'open', text(open - now), '0'} end
if now < tonumber(redis.call('HGET', KEYS[1], 'trial') or 0) then return {'half-open', '0', '0'} end
redis.call('HSET', KEYS[1], 'trial', text(now + tonumber(ARGV[1])))
return {'half-open', '0', '1'}
`

// Arguments: whether the call has failed, the failures in a row that open the circuit, for how long in
// microseconds, and how long it is remembered, in milliseconds.
const recordScript = nowFunction + `
local now = now()
local open = tonumber(redis.call('HGET', KEYS[1], 'open') or nil)
if open and now < open then return {'open', text(open - now)} end
if ARGV[1] == '0' then
	redis.call('DEL', KEYS[1])
	return {'closed', '0'}
end
local failures = open and tonumber(ARGV[2]) or redis.call('HINCRBY', KEYS[1], 'failures', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[4])
if failures < tonumber(ARGV[2]) then return {'closed', '0'} end
redis.call('HDEL', KEYS[1], 'failures', 'trial')
redis.call('HSET', KEYS[1], 'open', text(now + tonumber(ARGV[3])))
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return {'open', ARGV[3]}
`

// Arguments: the owner of a presence, and its lease in milliseconds. Returns whether it is still the
// owner's.
const renewScript = `
local owner = redis.call('GET', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
`

const leaveScript = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0
`
