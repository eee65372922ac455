/** What stands in the WARC files of a collection, read by warcio, and whether it is what happened. */
import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { WARCParser } from 'warcio'
import { Collection } from '@comity/collection'
import type { Capture } from '@comity/protocol'

export interface ArchiveRecord {
  readonly type: string
  readonly url: string
  readonly header: (name: string) => string | undefined
  readonly payload: string
}

/** Every record of every file; warcio throws on what is not clean. */
export async function recordsIn(dir: string): Promise<ArchiveRecord[]> {
  await using collection = Collection.openReadOnly(dir)
  const records: ArchiveRecord[] = []
  for (const path of collection.warcPaths) {
    for await (const record of new WARCParser(createReadStream(path))) {
      const payload = Buffer.from((await record.readFully(false)) ?? '').toString('latin1')
      const empty = [...record.warcHeaders.headers].filter(([, value]) => value.trim() === '').map(([name]) => name)
      assert.deepEqual(empty, [], `${path} has fields without a value`)
      const header = (name: string): string | undefined => record.warcHeader(name) ?? undefined
      records.push({ type: record.warcType ?? '', url: record.warcTargetURI ?? '', header, payload })
    }
  }
  return records
}

/** Schemes of pages that we asked for, each by itself. */
const ASKED: ReadonlySet<string | undefined> = new Set([undefined, 'difference', 'dictionary'])

/**
 * Of every page that came: a request stands beside it if and only if we asked for it, and otherwise a note of who brought it
 * and how. Of what nobody asked for, `heard`, what `onCapture` was told, has each once. Gives the kinds of record by the scheme
 * that brought them.
 */
export async function toldTruly(dir: string, heard?: readonly Capture[]): Promise<Map<string, ReadonlySet<string>>> {
  const records = await recordsIn(dir)
  const besides = Map.groupBy(
    records.filter(({ type }) => type === 'request' || type === 'metadata'),
    ({ header }) => header('WARC-Concurrent-To') ?? header('WARC-Refers-To') ?? '',
  )
  const mains = Map.groupBy(
    records.filter(({ type }) => ['response', 'resource', 'revisit'].includes(type)),
    ({ url, header }) => `${url} ${Date.parse(header('WARC-Date') ?? '')}`,
  )
  const kinds = new Map<string, Set<string>>()
  await using collection = Collection.openReadOnly(dir)
  for (const { key: page } of collection.pages()) {
    const url = collection.url(page)!
    for (const { key, value } of collection.captures(page)) {
      const main = mains.get(`${url} ${key[1]}`)?.[0]
      if (value.record === undefined || value.outcome === 'not-modified') continue
      assert.ok(main !== undefined, `${url} has no record`)
      const beside = besides.get(main.header('WARC-Record-ID')!) ?? []
      const said = `${url}, by ${value.scheme ?? 'a visit'}: ${beside.map(({ type }) => type).join(', ')} beside it`
      assert.equal(beside.length, 1, said)
      const isAsked = value.source === 'crawl' && ASKED.has(value.scheme)
      assert.equal(beside[0]!.type, isAsked ? 'request' : 'metadata', said)
      const times = heard?.filter(({ url: whose, at }) => whose === url && at === key[1]).length
      if (!isAsked) assert.equal(times ?? 1, 1, `${said}; told ${times} times`)
      if (!isAsked) assert.match(beside[0]!.payload, /^via: \S+.*\r\nhow: \S+/, said)
      const isText = beside[0]!.payload.includes('content: extracted-text')
      const kind = `${main.type}${isText ? ', extracted text' : ''}`
      const scheme = value.scheme ?? 'visit'
      kinds.set(scheme, (kinds.get(scheme) ?? new Set()).add(kind))
    }
  }
  return kinds
}
