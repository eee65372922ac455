/** Edited pairs: two versions of a text, for the properties of codings by difference. */
import fc from 'fast-check'

interface EditedPair {
  readonly source: Uint8Array
  readonly target: Uint8Array
}

const piece: fc.Arbitrary<Uint8Array> = fc.oneof(
  fc
    .array(fc.constantFrom('<p>', '</p>\n', 'crawl', 'page ', 'the ', 'site', ' a', '0', ' '))
    .map((words) => Buffer.from(words.join(''))),
  fc.uint8Array({ maxLength: 40 }),
  fc.tuple(fc.nat(255), fc.nat(300)).map(([byte, count]) => Buffer.alloc(count, byte)),
)

interface Edit {
  readonly at: number
  readonly removed: number
  readonly added: Uint8Array
}

const edit: fc.Arbitrary<Edit> = fc.record({ at: fc.nat(2_000), removed: fc.nat(80), added: piece })

/** A text of some pieces, and the same after some edits; sometimes two that have nothing to do with each other. */
export const editedPairs: fc.Arbitrary<EditedPair> = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.array(piece, { maxLength: 30 }), fc.array(edit, { maxLength: 8 })).map(pairOf) },
  { weight: 1, arbitrary: fc.record({ source: piece, target: piece }) },
)

function pairOf([pieces, edits]: [Uint8Array[], Edit[]]): EditedPair {
  const source = Buffer.concat(pieces)
  return { source, target: edits.reduce(applyEdit, source) }
}

function applyEdit(text: Buffer<ArrayBuffer>, { at, removed, added }: Edit): Buffer<ArrayBuffer> {
  const place = text.length === 0 ? 0 : at % text.length
  return Buffer.concat([text.subarray(0, place), added, text.subarray(place + removed)])
}
