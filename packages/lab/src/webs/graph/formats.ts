/** Formats: what kind of graph a file holds, told by its name and its first lines. */
import { hostPairReader, HOST_PAIR, pageAndLinkReader } from './text-readers.ts'
import { linkListReader, successorReader } from './number-readers.ts'
import type { GraphReader } from './number-readers.ts'
import type { ReadLog } from './limits.ts'

interface GraphFormat {
  readonly title: string
  /** `first` is the first line that is neither empty nor a comment. */
  fits(name: string, first: string): boolean
  reader(log: ReadLog): GraphReader
}

/** The first that fits counts. */
export const graphFormats: readonly GraphFormat[] = [
  {
    title: 'successor lists (WebGraph ASCII): the number of pages, then a line of targets for each',
    fits: (name, first) => /\.graph-txt(\.\w+)?$/.test(name) || /^\s*\d+\s*$/.test(first),
    reader: successorReader,
  },
  {
    title: 'a link list (SNAP): `from to` a line',
    fits: (_name, first) => /^\s*\d+[ \t]+\d+(\s|$)/.test(first),
    reader: linkListReader,
  },
  {
    title: 'pages and links: `n number URL`, then `e from to`',
    fits: (_name, first) => /^[ne] \d+ /.test(first),
    reader: pageAndLinkReader,
  },
  {
    title: 'pairs of hosts: `year|from|to`, a tab, a number',
    fits: (_name, first) => HOST_PAIR.test(first),
    reader: hostPairReader,
  },
]

/** How much of a file is looked at. */
export const HEAD_BYTES = 65_536

export function formatOf(name: string, head: Uint8Array): GraphFormat | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, HEAD_BYTES)).toString('latin1')
  const first = text.split('\n').find((line) => line.trim() !== '' && !/^[#%]/.test(line)) ?? ''
  return graphFormats.find((format) => format.fits(name, first.trimEnd()))
}
