/** Packets under way, as columns of numbers: there are millions of them in a run, and a packet's number is used again. */
const FIRST_ROOM = 1 << 10

export class PacketTable {
  exchange: Int32Array = new Int32Array(FIRST_ROOM)
  generation: Int32Array = new Int32Array(FIRST_ROOM)
  /** What it is of its exchange. */
  part: Int32Array = new Int32Array(FIRST_ROOM)
  bits: Float64Array = new Float64Array(FIRST_ROOM)
  /** The node it is at or arrives at next, and where it goes. */
  at: Int32Array = new Int32Array(FIRST_ROOM)
  goal: Int32Array = new Int32Array(FIRST_ROOM)
  /** Numbers that are free, the last of them given out next. */
  #free: Int32Array = new Int32Array(FIRST_ROOM)
  #freed = 0
  #used = 0

  get alive(): number {
    return this.#used - this.#freed
  }

  take(): number {
    if (this.#freed > 0) return this.#free[--this.#freed]!
    if (this.#used === this.part.length) this.#grow()
    return this.#used++
  }

  drop(packet: number): void {
    this.#free[this.#freed++] = packet
  }

  #grow(): void {
    const bits = new Float64Array(this.bits.length * 2)
    bits.set(this.bits)
    this.bits = bits
    this.exchange = longer(this.exchange)
    this.generation = longer(this.generation)
    this.part = longer(this.part)
    this.at = longer(this.at)
    this.goal = longer(this.goal)
    this.#free = longer(this.#free)
  }
}

function longer(old: Int32Array): Int32Array {
  const column = new Int32Array(old.length * 2)
  column.set(old)
  return column
}
