/**
 * Clock: how long ago something was, for those who hold something and for those who wait for it. Whoever holds must not believe too
 * little time has gone by, and looks at both clocks: the monotonic one stands still while a machine sleeps, the wall clock may be
 * set back. Whoever waits must not believe too much, and looks at the monotonic one alone.
 */
export interface Clock {
  monotonic(): number
  wall(): number
}

export interface Mark {
  readonly monotonic: number
  readonly wall: number
}

export const realClock: Clock = { monotonic: () => performance.now(), wall: () => Date.now() }

export const markOf = (clock: Clock): Mark => ({ monotonic: clock.monotonic(), wall: clock.wall() })

/** At most so long ago, for all that anybody can know. */
export const sinceAtMost = (clock: Clock, mark: Mark): number =>
  Math.max(clock.monotonic() - mark.monotonic, clock.wall() - mark.wall)

/** All times follow from one: how long who is not heard from keeps what it has. */
export interface LeaseTimes {
  /** Others may begin so long after the last they heard. */
  readonly leaseMs: number
  /** Whoever holds stops so long after it sent what was last acknowledged: before anybody else may begin. */
  readonly holdMs: number
  /** Between two renewals. */
  readonly renewMs: number
  /** A process that gives no sign for so long is killed by its watchdog, while it still holds. */
  readonly watchdogMs: number
  /** A question to another machine is given up after this. */
  readonly answerMs: number
}

/** Shorter leases end when a machine is merely busy. */
export const MIN_LEASE_MS = 1_500

export const leaseTimes = (leaseMs: number): LeaseTimes => ({
  leaseMs,
  holdMs: (leaseMs * 2) / 3,
  renewMs: leaseMs / 10,
  watchdogMs: leaseMs / 2,
  answerMs: Math.min(leaseMs / 6, 5_000),
})
