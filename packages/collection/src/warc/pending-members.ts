/**
 * PendingMembers: what is to be written, copied into blocks that are used again and again. Whoever hands a member over may give its
 * bytes back at once: ten thousand of them that wait for a commit would be as many small holes in memory afterwards.
 */
const BLOCK_BYTES = 256 << 10
/** Blocks that wait for the next bytes; a commit of more than these hold is rare. */
const MOST_IDLE = 8

export class PendingMembers {
  readonly #idle: Buffer[] = []
  #blocks: Buffer[] = []
  /** Of the last block. */
  #used = BLOCK_BYTES

  get isEmpty(): boolean {
    return this.#blocks.length === 0
  }

  append(member: Uint8Array): void {
    for (let from = 0; from < member.length;) {
      if (this.#used === BLOCK_BYTES) {
        this.#blocks.push(this.#idle.pop() ?? Buffer.allocUnsafeSlow(BLOCK_BYTES))
        this.#used = 0
      }
      const part = member.subarray(from, from + BLOCK_BYTES - this.#used)
      this.#blocks.at(-1)!.set(part, this.#used)
      this.#used += part.length
      from += part.length
    }
  }

  /** Everything that was appended, to be written as it is and given back then; others may be appended meanwhile. */
  take(): Buffer[] {
    const blocks = this.#blocks
    const last = blocks.at(-1)
    if (last !== undefined) blocks[blocks.length - 1] = last.subarray(0, this.#used)
    this.#blocks = []
    this.#used = BLOCK_BYTES
    return blocks
  }

  /** What `take` gave is written. */
  giveBack(blocks: readonly Buffer[]): void {
    for (const { buffer } of blocks) if (this.#idle.length < MOST_IDLE) this.#idle.push(Buffer.from(buffer))
  }
}
