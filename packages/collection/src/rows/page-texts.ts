/**
 * Blocks of page texts: a page's site, what follows the site in its URL, and the page it was found on. Ids are dense
 * and blocks small, so reading one text back costs one ordered look-up and one short scan.
 *
 *   u16 count · per page: u32 site · u32 parent · u16 length · then the texts, one after the other
 *
 * Canonical URLs are ASCII, so a byte is a character.
 */
import { collectionDamaged } from '../errors.ts'

export interface PageText {
  readonly site: number
  /** Path and query: `/a/b?c`. Empty for a page that was forgotten. */
  readonly path: string
  /** The page it was found on; `NO_PARENT` for a start page. */
  readonly parent: number
}

export const NO_PARENT = 0xffffffff

/** Pages a block; about 16 KB at the usual length of a path. */
export const BLOCK_PAGES = 256

const HEADER_BYTES = 2
const ROW_BYTES = 10
/** Longer ones are never made: `canonicalUrl` refuses them. */
const MAX_PATH = 0xffff

export function encodeTexts(texts: readonly PageText[]): Buffer {
  const tableEnd = HEADER_BYTES + texts.length * ROW_BYTES
  const block = Buffer.allocUnsafe(texts.reduce((sum, text) => sum + Math.min(text.path.length, MAX_PATH), tableEnd))
  block.writeUInt16LE(texts.length, 0)
  let row = HEADER_BYTES
  let at = tableEnd
  for (const { site, path, parent } of texts) {
    const length = Math.min(path.length, MAX_PATH)
    block.writeUInt32LE(site, row)
    block.writeUInt32LE(parent, row + 4)
    block.writeUInt16LE(length, row + 8)
    block.write(path, at, length, 'latin1')
    row += ROW_BYTES
    at += length
  }
  return block
}

/** The text of the `index`-th page of a block; undefined when the block has no such page. */
export function textAt(bytes: Uint8Array, index: number): PageText | undefined {
  const { block, count } = openBlock(bytes)
  if (index < 0 || index >= count) return undefined
  let at = HEADER_BYTES + count * ROW_BYTES
  for (let i = 0; i < index; i++) at += block.readUInt16LE(HEADER_BYTES + i * ROW_BYTES + 8)
  return rowAt(block, index, at)
}

/** All texts of a block, in order. */
export function textsOf(bytes: Uint8Array): PageText[] {
  const { block, count } = openBlock(bytes)
  const texts: PageText[] = []
  for (let i = 0, at = HEADER_BYTES + count * ROW_BYTES; i < count; i++) {
    const text = rowAt(block, i, at)
    texts.push(text)
    at += text.path.length
  }
  return texts
}

function openBlock(bytes: Uint8Array): { block: Buffer; count: number } {
  const block = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const count = block.length < HEADER_BYTES ? Infinity : block.readUInt16LE(0)
  if (HEADER_BYTES + count * ROW_BYTES > block.length) throw damaged()
  return { block, count }
}

function rowAt(block: Buffer, index: number, at: number): PageText {
  const row = HEADER_BYTES + index * ROW_BYTES
  const end = at + block.readUInt16LE(row + 8)
  if (end > block.length) throw damaged()
  const path = block.toString('latin1', at, end)
  return { site: block.readUInt32LE(row), parent: block.readUInt32LE(row + 4), path }
}

const damaged = (): Error => collectionDamaged('A block of page texts is cut short.')
