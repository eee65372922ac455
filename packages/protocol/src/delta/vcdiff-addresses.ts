/**
 * VCDIFF's address cache (RFC 3284 §5): the addresses of COPY instructions, said shorter than by their number.
 *
 * Mode 0 says the address, mode 1 how far back from here, modes 2 to 5 how far beyond one of the last four addresses,
 * and modes 6 to 8 with one byte that it is the same as an earlier one. Both sides note every address they see, so
 * their caches are equal at every instruction. A cache lives for one window.
 */
const NEAR = 4
const SAME = 3 * 256

export class AddressCache {
  readonly #near = new Int32Array(NEAR)
  readonly #same = new Int32Array(SAME)
  #next = 0
  /** What `choose` found: the mode, and the number to write for it. */
  mode = 0
  value = 0

  note(address: number): void {
    this.#near[this.#next] = address
    this.#next = (this.#next + 1) % NEAR
    this.#same[address % SAME] = address
  }

  /** Finds the shortest way to say an address and returns its bytes; `mode` and `value` say what was found. */
  choose(address: number, here: number): number {
    if (this.#same[address % SAME] === address) {
      const slot = address % SAME
      this.mode = 2 + NEAR + (slot >> 8)
      this.value = slot & 255
      return 1
    }
    let mode = 0
    let value = address
    if (here - address < value) [mode, value] = [1, here - address]
    const near = this.#near
    for (let place = 0; place < NEAR; place++) {
      const beyond = address - near[place]!
      if (beyond >= 0 && beyond < value) [mode, value] = [2 + place, beyond]
    }
    this.mode = mode
    this.value = value
    return value < 128 ? 1 : value < 16_384 ? 2 : value < 2_097_152 ? 3 : value < 268_435_456 ? 4 : 5
  }

  /** Is the address of this mode one byte, and not an integer? */
  isSame(mode: number): boolean {
    return mode >= 2 + NEAR
  }

  /** The address that was meant; it may be anywhere, also below 0 or beyond here. */
  resolve(mode: number, value: number, here: number): number {
    if (mode === 0) return value
    if (mode === 1) return here - value
    if (mode < 2 + NEAR) return this.#near[mode - 2]! + value
    return this.#same[(mode - 2 - NEAR) * 256 + value]!
  }
}
