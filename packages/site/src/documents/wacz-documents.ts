/**
 * WACZ: the whole site as one file that archive viewers open, and that a crawler may read in parts (Range), page by page.
 *
 * Its WARC files are the same groups of pages as those of the resource dump, so after a change one of them is made anew.
 * None is held: the file is known by the sizes and sums of its pieces, and what somebody wants of it is made again.
 */
import { hash } from 'node:crypto'
import { gzipSync, crc32 } from 'node:zlib'
import {
  cdxjLine,
  cdxjPrefix,
  idxHeader,
  idxLine,
  mediaKindOf,
  WACZ_PATHS,
  waczDigest,
  waczPackage,
  waczPageLine,
  waczPagesHeader,
} from '@comity/protocol'
import type { CdxjEntry, WaczResource, ZipEntryToWrite } from '@comity/protocol'
import type { DocumentStore } from './document-store.ts'
import type { PageBodies } from '../serve/page-bodies.ts'
import type { PagePart, PageParts } from './page-parts.ts'
import type { PublicView } from '../privacy/public-view.ts'
import type { DocumentSource, LargeContent, Piece, SiteDocument } from './site-document.ts'
import { makeSegment } from './wacz-segment.ts'
import type { WaczSegment } from './wacz-segment.ts'
import { zipLayout } from './zip-layout.ts'

/** Lines a block of the index; what most writers take. */
const LINES_A_BLOCK = 3_000

export class WaczDocuments implements DocumentSource {
  readonly #view: PublicView
  readonly #groups: PageParts
  readonly #bodies: PageBodies
  readonly #store: DocumentStore
  /** By group. */
  readonly #segments = new Map<string, WaczSegment & { readonly version: string }>()

  constructor(view: PublicView, groups: PageParts, bodies: PageBodies, store: DocumentStore) {
    this.#view = view
    this.#groups = groups
    this.#bodies = bodies
    this.#store = store
  }

  documents(): Iterable<SiteDocument> {
    const groups = this.#groups.current()
    return [
      {
        path: this.#view.paths.wacz,
        scheme: 'wacz',
        type: 'application/wacz',
        version: groups.map(({ version }) => version).join(' '),
        modifiedAt: groups.reduce((newest, group) => Math.max(newest, group.modifiedAt), 0),
        pages: groups.reduce((sum, { size }) => sum + size, 0),
        pageBytes: groups.reduce((sum, group) => sum + bytesOf(group), 0),
        isPacked: true,
        make: () => this.#make(groups),
      },
    ]
  }

  find(path: string): SiteDocument | undefined {
    return path === this.#view.paths.wacz ? [...this.documents()][0] : undefined
  }

  async #make(groups: readonly PagePart[]): Promise<LargeContent> {
    const segments: WaczSegment[] = []
    for (const group of groups) segments.push(await this.#segment(group))
    const title = new URL(this.#view.url('/')).host
    const created = new Date(groups.reduce((newest, group) => Math.max(newest, group.modifiedAt), 0))
    const files = smallFiles(segments, title, created)
    const layout = zipLayout([...segments.map(segmentEntry), ...files.map(fileEntry)])
    const loads = [
      ...segments.map((segment, i) => ({ bytes: segment.bytes, load: () => this.#bytes(groups[i]!, segment) })),
      ...files.map(({ content }) => held(content)),
    ]
    const pieces = [...loads.flatMap((piece, i) => [held(layout.heads[i]!), piece]), held(layout.tail)]
    const name = hash('sha256', JSON.stringify([segments.map((segment) => segment.hash), hash('sha256', layout.tail)]))
    return { name: name.slice(0, 32), bytes: layout.bytes, pieces }
  }

  async #segment(group: PagePart): Promise<WaczSegment> {
    const { name, version } = group
    const known = this.#segments.get(name)
    if (known?.version === version) return known
    const { content, ...segment } = await makeSegment(group, this.#bodies, (path) => this.#view.url(path))
    await this.#store.bytes(keyOf(segment), async () => content)
    // Of this very moment; pages that change while it is made make a new version.
    this.#segments.set(name, { ...segment, version })
    return segment
  }

  /** A reader who began with one file is not given another's bytes. */
  async #bytes(group: PagePart, segment: WaczSegment): Promise<Uint8Array> {
    return await this.#store.bytes(keyOf(segment), async () => {
      const made = await makeSegment(group, this.#bodies, (path) => this.#view.url(path))
      if (made.hash !== segment.hash) throw new Error('the site changed while it was being read; ask for it again')
      return made.content
    })
  }
}

const keyOf = ({ hash: sum }: WaczSegment): string => `wacz ${sum}`

const held = (content: Uint8Array): Piece => ({ bytes: content.length, load: () => content })

const segmentEntry = ({ filename, crc32: sum, bytes }: WaczSegment): ZipEntryToWrite => ({
  name: `${WACZ_PATHS.archive}${filename}`,
  method: 'stored',
  crc32: sum,
  bytes,
  packedBytes: bytes,
})

interface SmallFile {
  readonly path: string
  readonly content: Uint8Array
}

const fileEntry = ({ path, content }: SmallFile): ZipEntryToWrite => ({
  name: path,
  method: 'stored',
  crc32: crc32(content),
  bytes: content.length,
  packedBytes: content.length,
})

/** Index, pages and description. */
function smallFiles(segments: readonly WaczSegment[], title: string, created: Date): readonly SmallFile[] {
  const captures = segments.flatMap((segment) => segment.captures)
  const { index, blocks } = packedIndex(captures)
  const files: SmallFile[] = [
    { path: WACZ_PATHS.index, content: index },
    { path: WACZ_PATHS.blocks, content: Buffer.from(blocks) },
    { path: WACZ_PATHS.pages, content: Buffer.from(pageList(captures)) },
  ]
  const resources: WaczResource[] = [
    ...segments.map(({ filename, bytes, hash: sum }) => ({
      path: `${WACZ_PATHS.archive}${filename}`,
      bytes,
      hash: sum,
    })),
    ...files.map(({ path, content }) => ({ path, bytes: content.length, hash: `sha256:${hash('sha256', content)}` })),
  ]
  const description = waczPackage({ title, software: 'comity', created, resources })
  files.push({ path: WACZ_PATHS.package, content: Buffer.from(description) })
  files.push({ path: WACZ_PATHS.digest, content: Buffer.from(waczDigest(description)) })
  return files
}

function packedIndex(captures: readonly CdxjEntry[]): { readonly index: Uint8Array; readonly blocks: string } {
  const lines = captures.map(cdxjLine).toSorted()
  const packs: Uint8Array[] = []
  let blocks = `${idxHeader(WACZ_PATHS.index.slice(WACZ_PATHS.index.lastIndexOf('/') + 1))}\n`
  let offset = 0
  for (let at = 0; at < lines.length; at += LINES_A_BLOCK) {
    const block = lines.slice(at, at + LINES_A_BLOCK)
    const pack = gzipSync(`${block.join('\n')}\n`)
    const digest = `sha256:${hash('sha256', pack)}`
    blocks += `${idxLine({ first: cdxjPrefix(block[0]!), offset, length: pack.length, digest })}\n`
    packs.push(pack)
    offset += pack.length
  }
  return { index: Buffer.concat(packs), blocks }
}

function pageList(captures: readonly CdxjEntry[]): string {
  const pages = captures.filter(({ mime, url }) => mediaKindOf(mime, url) === 'page')
  const lines = pages.map(({ url, at }, i) => waczPageLine({ id: String(i), url, at, title: undefined }))
  return `${[waczPagesHeader({ hasText: false }), ...lines].join('\n')}\n`
}

function bytesOf(group: PagePart): number {
  let sum = 0
  for (const { bytes } of group.pages()) sum += bytes
  return sum
}
