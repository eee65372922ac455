/**
 * Handbook: all documents of the repository as static pages, in `dist/docs`.
 *
 *   npm run docs
 *   npm run docs -- --into DIR --search https://search.example/
 *
 * They need no script. `comity publish` tells crawlers of them, `comity crawl` reads them, and `comity serve` of what it read answers the
 * form at the top of each page, when `--search` says where it runs.
 */
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, posix, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { codeBlock, documentOf } from './document.ts'
import type { Document } from './document.ts'
import { handbookFiles, hrefBetween } from './handbook-tree.ts'
import type { HandbookFile } from './handbook-tree.ts'
import { framed } from './page-frame.ts'
import type { MenuGroup } from './page-frame.ts'

const root = resolve(import.meta.dirname, '../..')

export interface HandbookOptions {
  readonly into: string
  readonly search?: URL | undefined
  /** Whose documents: the repository's, unless told. */
  readonly root?: string | undefined
}

/** Makes all pages anew; gives their paths. */
export function makeHandbook({ into, search, root: from = root }: HandbookOptions): string[] {
  const { homepage } = readJson(from, 'package.json')
  const { version } = readJson(from, 'packages/cli/package.json')
  const files = handbookFiles(from)
  const pages = new Map(files.map(({ source, path }) => [source, path]))
  const elsewhere = `${homepage}/blob/v${version}`
  const documents = new Map(
    files.map((file) => [
      file,
      readDocument(from, file, (target) => leadsTo(target, file, { pages, elsewhere, from })),
    ]),
  )
  // What no page stands for any more must not be published any longer.
  rmSync(into, { recursive: true, force: true })
  for (const [{ path, source }, { title, summary, html, headings }] of documents) {
    const menu = menuOf(documents, path)
    const home = hrefBetween(path, 'index.html')
    const page = framed({ title: title || source, summary, content: html, headings, menu, home, search, version })
    mkdirSync(dirname(join(into, path)), { recursive: true })
    writeFileSync(join(into, path), page)
  }
  copyFileSync(join(import.meta.dirname, 'handbook.css'), join(into, 'handbook.css'))
  return files.map(({ path }) => path)
}

const readJson = (folder: string, path: string): { readonly homepage: string; readonly version: string } =>
  JSON.parse(readFileSync(join(folder, path), 'utf8')) as { homepage: string; version: string }

function readDocument(from: string, { source }: HandbookFile, leads: (target: string) => string): Document {
  const text = readFileSync(join(from, source), 'utf8')
  if (source.endsWith('.md')) return documentOf(text, leads)
  const title = source
  const [, comment = ''] = /^\/\*\*\s+\*?\s*([^\n]*)/.exec(text) ?? []
  return {
    title,
    summary: comment,
    headings: [],
    html: `<h1>${title}</h1>\n${codeBlock(text.trimEnd(), 'TypeScript')}`,
  }
}

interface Known {
  readonly pages: ReadonlyMap<string, string>
  /** Where the repository can be looked at. */
  readonly elsewhere: string
  readonly from: string
}

/** What leads nowhere is left as it is: a crawl of the pages finds it. */
function leadsTo(target: string, { source, path }: HandbookFile, { pages, elsewhere, from }: Known): string {
  if (/^(?:https?|mailto):/.test(target) || target.startsWith('#')) return target
  const [file = '', fragment] = target.split('#')
  const named = posix.join(posix.dirname(source), file).replace(/\/$/, '')
  const page = pages.get(named) ?? pages.get(`${named}/README.md`)
  const hash = fragment === undefined ? '' : `#${fragment}`
  if (page !== undefined) return hrefBetween(path, page) + hash
  return existsSync(join(from, named)) ? `${elsewhere}/${named}${hash}` : target
}

function menuOf(documents: ReadonlyMap<HandbookFile, Document>, path: string): MenuGroup[] {
  const groups = Map.groupBy(documents, ([{ group }]) => group)
  return [...groups].map(([name, members]) => ({
    name,
    entries: members.map(([file, { title }]) => ({
      title: menuTitle(file, title),
      href: hrefBetween(path, file.path),
      isHere: file.path === path,
    })),
  }))
}

const menuTitle = ({ source }: HandbookFile, title: string): string =>
  source.startsWith('examples/') ? basename(source) : source === 'README.md' ? 'Comity' : title || source

if (import.meta.main) {
  const { values } = parseArgs({ options: { into: { type: 'string' }, search: { type: 'string' } } })
  const into = resolve(values.into ?? join(root, 'dist/docs'))
  const search = values.search === undefined ? undefined : new URL(values.search)
  console.log(`${makeHandbook({ into, search }).length} pages are in ${into}`)
}
