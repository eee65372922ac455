/** Media kinds and media types: what `--types` takes. */
import type { MediaKind } from '@comity/protocol'
import { didYouMean } from '../terminal/nearest-name.ts'
import { BadValue } from '../usage-error.ts'

export const MEDIA_KINDS: Readonly<Record<MediaKind, string>> = {
  page: 'HTML',
  image: 'pictures',
  style: 'style sheets',
  script: 'scripts',
  media: 'sound and film',
  document: 'PDF, office files, books',
  feed: 'RSS and Atom',
  text: 'plain text',
  data: 'JSON, XML, tables',
  other: 'archives, fonts and the rest',
}

/** `application/pdf`, `image/*` */
export type MediaType = `${string}/${string}`

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table's type names just these keys.
const names = Object.keys(MEDIA_KINDS) as MediaKind[]
/** RFC 6838 §4.2: names of types; a star for all of a family. */
const MEDIA_TYPE = /^(?:\*\/\*|[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/(?:\*|[a-z0-9][a-z0-9!#$&^_.+-]{0,126}))$/

/** `page,image`, `image/*,application/pdf`, any mixture, or `all`. */
export function parseTypes(text: string): readonly (MediaKind | MediaType)[] {
  const words = text.split(',').map((word) => word.trim().toLowerCase())
  if (words.includes('all') || words.includes('*/*')) return names
  return words.map((word) => {
    if (isMediaType(word)) return word
    const kind = names.find((name) => name === word)
    if (kind === undefined)
      throw new BadValue(
        `is no list of ${names.join(', ')}, media types such as application/pdf or image/*, or all.` +
          didYouMean(word, [...names, 'all']),
      )
    return kind
  })
}

export function isMediaType(word: string): word is MediaType {
  return MEDIA_TYPE.test(word)
}

export function isMediaKind(word: string): word is MediaKind {
  return Object.hasOwn(MEDIA_KINDS, word)
}
