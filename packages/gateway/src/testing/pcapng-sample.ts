/** Blocks of pcapng made by hand, for tests (draft-ietf-opsawg-pcapng §4). */
interface NgWriter {
  readonly section: () => Buffer
  readonly iface: (linkType: number, options?: readonly (readonly [code: number, value: Uint8Array])[]) => Buffer
  readonly packet: (iface: number, ticks: bigint, bytes: Uint8Array, length?: number) => Buffer
  /** The obsolete one (§A). */
  readonly oldPacket: (iface: number, ticks: bigint, bytes: Uint8Array) => Buffer
  readonly simplePacket: (bytes: Uint8Array) => Buffer
  readonly block: (type: number, body: Uint8Array) => Buffer
}

const padded = (bytes: Uint8Array): Buffer => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)])

export function ngWriter(isBigEndian: boolean): NgWriter {
  const u16 = (...values: number[]): Buffer => {
    const view = new DataView(new ArrayBuffer(2 * values.length))
    for (const [at, value] of values.entries()) view.setUint16(2 * at, value, !isBigEndian)
    return Buffer.from(view.buffer)
  }
  const u32 = (...values: number[]): Buffer => {
    const view = new DataView(new ArrayBuffer(4 * values.length))
    for (const [at, value] of values.entries()) view.setUint32(4 * at, value, !isBigEndian)
    return Buffer.from(view.buffer)
  }
  const block = (type: number, body: Uint8Array): Buffer => {
    const inside = padded(body)
    return Buffer.concat([u32(type, inside.length + 12), inside, u32(inside.length + 12)])
  }
  const halves = (ticks: bigint): Buffer => u32(Number(ticks >> 32n), Number(ticks & 0xffffffffn))
  return {
    block,
    section: () => block(0x0a0d0d0a, Buffer.concat([u32(0x1a2b3c4d), u16(1, 0), Buffer.alloc(8, 255)])),
    iface: (linkType, options = []) => {
      const written = options.map(([code, value]) => Buffer.concat([u16(code, value.length), padded(value)]))
      return block(
        1,
        Buffer.concat([u16(linkType, 0), u32(0), ...written, options.length > 0 ? u32(0) : Buffer.alloc(0)]),
      )
    },
    packet: (iface, ticks, bytes, length = bytes.length) =>
      block(6, Buffer.concat([u32(iface), halves(ticks), u32(bytes.length, length), bytes])),
    oldPacket: (iface, ticks, bytes) =>
      block(2, Buffer.concat([u16(iface, 0), halves(ticks), u32(bytes.length, bytes.length), bytes])),
    simplePacket: (bytes) => block(3, Buffer.concat([u32(bytes.length), bytes])),
  }
}
