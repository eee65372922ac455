/** The attributes of the tag at hand, by number; of two with one name the first counts. */
export class TagAttributes {
  /** Bit n is set when attribute n is there. */
  seen = 0
  readonly starts: Int32Array = new Int32Array(32)
  readonly ends: Int32Array = new Int32Array(32)

  has(attribute: number): boolean {
    return (this.seen & (1 << attribute)) !== 0
  }

  note(attribute: number, start: number, end: number): void {
    if (this.has(attribute)) return
    this.seen |= 1 << attribute
    this.starts[attribute] = start
    this.ends[attribute] = end
  }
}
