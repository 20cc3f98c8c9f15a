/**
 * Settings of a session by which PostgreSQL notices within 25 s that its client is gone without a word, as after a
 * power cut. Otherwise it keeps the session, and its locks, for two hours.
 */
export const noticeLostClient = [
  'set tcp_keepalives_idle = 10',
  'set tcp_keepalives_interval = 5',
  'set tcp_keepalives_count = 3',
  // Where an answer is on its way to the client.
  'set tcp_user_timeout = 25000',
].join(';')

/** By then PostgreSQL has noticed, ms. */
export const lostClientNoticedMs = 25_000
