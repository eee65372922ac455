/** Media kinds: what `--types` takes. */
import type { MediaKind } from '@comity/protocol'
import { didYouMean } from './nearest-name.ts'
import { BadValue } from './usage-error.ts'

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

/** `page,image` or `all`. */
export function parseKinds(text: string): readonly MediaKind[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table's type names just these keys.
  const names = Object.keys(MEDIA_KINDS) as MediaKind[]
  const words = text.split(',').map((word) => word.trim())
  if (words.includes('all')) return names
  return words.map((word) => {
    const kind = names.find((name) => name === word)
    if (kind === undefined)
      throw new BadValue(`is no list of ${names.join(', ')} or all.${didYouMean(word, [...names, 'all'])}`)
    return kind
  })
}
