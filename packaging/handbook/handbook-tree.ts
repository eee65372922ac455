/**
 * Handbook tree: which files of the repository are pages of the handbook, at which address each stands, and under which heading it is
 * listed. Every Markdown file is a page, so that one that is new is there by itself; what is named below only comes in a better order.
 */
import { globSync } from 'node:fs'
import { basename, dirname, posix } from 'node:path'

export interface HandbookFile {
  /** From the root of the repository, with `/`. */
  readonly source: string
  /** From the root of the handbook: `docs/crawl.html`; a README is the index of its folder. */
  readonly path: string
  readonly group: string
}

const docs = (names: string): string[] => names.split(' ').map((name) => `docs/${name}.md`)

/** Headings of the menu, in its order, with what stands first below each. */
const GROUPS: readonly (readonly [name: string, first: readonly string[]])[] = [
  ['Start', ['README.md', 'ARCHITECTURE.md']],
  ['Crawl', docs('crawl orders watch receive cluster hooks')],
  ['Search and serve', docs('search serve gateway deploy')],
  ['Own a site', docs('publish agent')],
  ['Study', docs('lab')],
  ['Look up', docs('commands outcomes errors glossary')],
  ['Programs', []],
  ['How it behaves', docs('politeness robots url-identity identity security')],
  ['Packages', []],
  ['The project', ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md']],
]

/** Where a file belongs that is not named above. */
function groupOf(source: string): string {
  const named = GROUPS.find(([, first]) => first.includes(source))
  if (named !== undefined) return named[0]
  const folder = source.split('/')[0]
  if (folder === 'api' || folder === 'examples') return 'Programs'
  if (folder === 'packages') return 'Packages'
  return folder === 'docs' ? 'How it behaves' : 'The project'
}

const placeOf = (source: string): number => GROUPS.flatMap(([, first]) => first).indexOf(source) >>> 0

/** A README is what a folder answers with; of an example the page shows its source. */
const pathOf = (source: string): string =>
  basename(source) === 'README.md' ? posix.join(dirname(source), 'index.html') : source.replace(/\.[a-z]+$/, '.html')

/** All pages, as the menu lists them. */
export function handbookFiles(root: string): HandbookFile[] {
  const patterns = ['*.md', 'docs/*.md', 'api/**/*.md', 'packages/*/README.md', 'bench/README.md', 'examples/*.ts']
  const sources = globSync(patterns, { cwd: root }).map((source) => source.replaceAll('\\', '/'))
  const files = sources.map((source) => ({ source, path: pathOf(source), group: groupOf(source) }))
  const order = GROUPS.map(([name]) => name)
  return files.toSorted(
    (a, b) =>
      order.indexOf(a.group) - order.indexOf(b.group) ||
      placeOf(a.source) - placeOf(b.source) ||
      (a.source < b.source ? -1 : 1),
  )
}

/** From one page to another; what is an index is asked for as a folder, as crawlers and readers know it. */
export function hrefBetween(from: string, to: string): string {
  const way = posix.relative(posix.dirname(from), to.replace(/(?:^|(?<=\/))index\.html$/, '')) || '.'
  return to.endsWith('index.html') ? `${way}/`.replace(/^\.\/\//, './') : way
}
