/**
 * Many pages in one answer, read with the readers of the protocol: a batch, the pages that a filter finds, a dump of the
 * whole site.
 */
import {
  BATCH_PATH,
  BATCH_TYPE,
  CHANGES_PATH,
  QUERY_TYPE,
  readBatchAnswer,
  readChanges,
  readSync,
  writeBatch,
  writeChangeQuery,
} from '@comity/protocol'
import type { ChangeFields, Closing, SyncEntry } from '@comity/protocol'
import type { SiteCopy } from './copy.ts'
import { plainBody } from './http.ts'
import type { Answered, Line } from './http.ts'
import { takeAnswer, takeEither } from './pages.ts'
import { Documents, DOCUMENT_HEADERS } from './told.ts'
import { SyncZip } from './zip.ts'

const pathOf = (url: string): string => url.slice(new URL(url).origin.length)

/** Pages out of an answer with many; those whose difference cannot be used are fetched. Throws unless it is whole. */
async function takeBundle(line: Line, copy: SiteCopy, answer: Answered): Promise<Closing> {
  if (answer.status !== 200) throw new Error(`the site answers ${answer.status} to a question for many pages`)
  const { pages, closing, problems } = readBatchAnswer(plainBody(answer))
  if (closing === undefined || problems.length > 0 || closing.refused.length > 0)
    throw new Error(`an answer with many pages is not whole: ${[...problems, ...(closing?.refused ?? [])].join(', ')}`)
  for (const { url, status, headers, body } of pages) {
    const page = { status, headers, body: Buffer.from(body.buffer, body.byteOffset, body.length) }
    const path = pathOf(url)
    if (!takeEither(copy, path, page)) takeAnswer(copy, path, await line.ask({ path }))
  }
  return closing
}

/** All pages, each with the tag that it has here; what did not change is not in the answer. */
export async function askBatch(line: Line, copy: SiteCopy, base: string, listed: readonly string[]): Promise<void> {
  const { origin } = new URL(base)
  let paths = [...new Set([...listed, ...copy.pages.keys()])]
  while (paths.length > 0) {
    const lines = paths.map((path) => ({ url: `${origin}${path}`, etag: copy.pages.get(path)?.etag }))
    const headers = [...DOCUMENT_HEADERS, ['content-type', BATCH_TYPE] as const]
    const answer = await line.ask({ path: BATCH_PATH, method: 'QUERY', headers, body: writeBatch(lines) })
    paths = (await takeBundle(line, copy, answer)).rest.map(pathOf)
  }
}

/** Give me what has changed since. Whose copy is the site already asks first only where that is. */
export function filterAsker(fields: ChangeFields, isHeld = false): (line: Line, copy: SiteCopy) => Promise<void> {
  let since: string | undefined
  let isBegun = !isHeld
  return async (line, copy) => {
    if (!isBegun) since = await tokenOf(line)
    for (let more = isBegun; more;) {
      const headers = [...DOCUMENT_HEADERS, ['content-type', QUERY_TYPE] as const]
      const body = writeChangeQuery({ since, fields })
      const answer = await line.ask({ path: CHANGES_PATH, method: 'QUERY', headers, body })
      const closing = await takeBundle(line, copy, answer)
      since = closing.token
      more = closing.more === true
    }
    isBegun = true
  }
}

/** Where the changes stand, by a list of them without pages. */
async function tokenOf(line: Line): Promise<string | undefined> {
  let since: string | undefined
  for (let more = true; more;) {
    const headers = [...DOCUMENT_HEADERS, ['content-type', QUERY_TYPE] as const]
    const body = writeChangeQuery({ since, fields: 'meta' })
    const answer = await line.ask({ path: CHANGES_PATH, method: 'QUERY', headers, body })
    const { end } = readChanges(Buffer.from(plainBody(answer)).toString('utf8'))
    if (end === undefined) throw new Error('a list of changes is not whole')
    since = end.token
    more = end.more
  }
  return since
}

/** The whole site, in as many packages as it makes of itself. */
export function dumpAsker(base: string, isConditional: boolean): (line: Line, copy: SiteCopy) => Promise<void> {
  const documents = new Documents(base)
  const first = `${base}resourcedump.xml`
  let packages: readonly string[] = []
  const held = new Map<string, readonly SyncEntry[]>()
  return async (line, copy) => {
    const list = await documents.fetch(line, first, isConditional)
    if (list !== undefined)
      packages = readSync(list, first).entries.flatMap(({ kind, url }) => (kind === 'package' ? [url] : []))
    for (const url of packages) {
      const body = await documents.fetch(line, url, isConditional)
      if (body !== undefined) held.set(url, await unpack(body, url, copy))
    }
    const there = new Set(packages.flatMap((url) => (held.get(url) ?? []).map((entry) => pathOf(entry.url))))
    for (const path of copy.pages.keys()) if (!there.has(path)) copy.drop(path)
  }
}

/** The pages of a package go into the copy; what its manifest says is returned. */
async function unpack(bytes: Uint8Array, url: string, copy: SiteCopy): Promise<readonly SyncEntry[]> {
  const zip = await SyncZip.open(bytes, url)
  for (const { kind, url: page, path } of zip.entries) {
    if (kind !== 'page' || path === undefined) continue
    copy.take(pathOf(page), await zip.read(path.slice(1)), [['content-type', 'text/html']])
  }
  return zip.entries
}
