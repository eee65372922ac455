/** What a table of connections may take, how long it waits, and what it counts. */
export interface FlowLimits {
  readonly flows: number
  /** Held for one direction of a connection, while something before it is missing. */
  readonly flowBytes: number
  /** Held and kept for all. */
  readonly bytes: number
  /** What is missing is given up when so much came behind it, or after so long. */
  readonly holeBytes: number
  readonly holeMs: number
  /** The same once its reader said that it has it: then only the capture can be late. */
  readonly ackedHoleBytes: number
  readonly ackedHoleMs: number
  /** How long the beginning of a connection that was met in the middle is waited for. */
  readonly midstreamMs: number
  readonly idleMs: number
  /** The same while nobody has answered: such connections are what a flood consists of. */
  readonly openingMs: number
  /** How long the addresses of a connection that ended are remembered, for what is late. */
  readonly lingerMs: number
  /** Mixed into the places of connections, so that nobody can choose addresses that all share one. */
  readonly seed: number
}

export const flowLimits: FlowLimits = {
  flows: 100_000,
  flowBytes: 4 << 20,
  bytes: 256 << 20,
  holeBytes: 1 << 20,
  holeMs: 10_000,
  ackedHoleBytes: 256 << 10,
  ackedHoleMs: 500,
  midstreamMs: 50,
  idleMs: 300_000,
  openingMs: 10_000,
  lingerMs: 5_000,
  seed: 0x2545f491,
}

export interface FlowCounters {
  flows: number
  /** Met in the middle. */
  midstream: number
  gaps: number
  gapBytes: number
  /** Bytes that came twice and differ. */
  conflicts: number
  /** Connections that had to go to make room. */
  evicted: number
  /** Connections that were silent too long. */
  idle: number
  /** The same addresses began anew before they had ended. */
  reused: number
  resets: number
  /** Resets that do not fit the connection, as from somebody who guesses. */
  strayResets: number
  /** Dropped for their sums: they never reached their reader. */
  damaged: number
  /** Taken with wrong sums, as their sender has no right ones. */
  unchecked: number
  /** Of an earlier connection with the same addresses, by the sender's clock. */
  outdated: number
}

export function flowCounters(): FlowCounters {
  return {
    flows: 0,
    midstream: 0,
    gaps: 0,
    gapBytes: 0,
    conflicts: 0,
    evicted: 0,
    idle: 0,
    reused: 0,
    resets: 0,
    strayResets: 0,
    damaged: 0,
    unchecked: 0,
    outdated: 0,
  }
}
