/** Milliseconds since the Unix epoch. Time is always an argument: only `cli` and `lab` own a clock. */
export type Instant = number
