/** MemoryBudget: how much a part of the gateway may hold at one time. Who is refused goes on without what it wanted to keep. */
export class MemoryBudget {
  readonly limit: number
  used = 0
  /** How often somebody was refused. */
  refused = 0

  constructor(limit: number) {
    this.limit = limit
  }

  take(bytes: number): boolean {
    if (this.used + bytes > this.limit) {
      this.refused++
      return false
    }
    this.used += bytes
    return true
  }

  give(bytes: number): void {
    this.used -= bytes
  }
}
