/** Whatever reads what others wrote is fuzzed: a parser that no target calls has a reason beside its name. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { files, packageOf, read, sources } from '../repository-tree.ts'
import { codeOf } from '../source-marks.ts'

const PARSER =
  /^export (?:async )?(?:(?:function\*?|const) (?<name>(?:parse|read|decode|unpack|inflate|verify|tame)[\w$]*|create\w+(?:Reader|Parser))|class (?<kind>\w*(?:Reader|Parser|Decoder)))\b/gmu

/** `protocol/html: readHtml` */
const placeOf = (path: string, name: string): string =>
  `${path.replace(/^packages\/([^/]+)\/src\/(.*)\.ts$/u, '$1/$2')}: ${name}`

/** The laboratory and its testbed read what their owner has, with tests of their own; fixtures and samples are no readers of ours. */
const isOfParsers = (path: string): boolean =>
  !['lab', 'testbed'].includes(packageOf(path)) && !/(?:-sample|-fixture|-check)\.ts$/u.test(path)

const parsers: readonly string[] = sources
  .filter(isOfParsers)
  .flatMap((path) =>
    [...read(path).matchAll(PARSER)].map(({ groups }) => placeOf(path, groups!['name'] ?? groups!['kind']!)),
  )

/** Not called by a target, under the reason. */
const EXCUSED: Readonly<Record<string, string>> = {
  'inside of one that is fuzzed':
    'protocol/coding/zstd-frames: unpackZstd, protocol/charset/decoders: decodeAs, protocol/charset/pair-table: decodePairs, ingest/documents/read-document: readSyncDocument, ingest/documents/zip-unpack: unpackEntry, protocol/html/entities: readReference, protocol/html/page: PageReader, protocol/robots/robots-lines: RobotsLineReader, protocol/archive/zip-reader: readDirectoryBytes, protocol/feeds/sitemap-entry: EntryReader, protocol/feeds/resourcesync-marks: MarkReader, protocol/archive/warc-parser: WarcParser, ' +
    'gateway/browser/browser-head: readBrowserHead, gateway/packets/capture-reader: CaptureReader, gateway/packets/ip-decoder: IpDecoder, gateway/packets/packet-decoder: PacketDecoder, index/ship/shipment-columns: readColumns, index/ship/shipment-rows: readRows',
  'reads a file of ours that a sum protects, and what is behind it is fuzzed':
    'index/format/frame: unpackFrame, index/index-manifest: readIndexManifest, index/read/index-reader: IndexReader, index/format/page-values: readPageValues, index/format/position-codec: PositionDecoder, index/read/run-reader: RunReader',
  'opens the file and hands it to one that is fuzzed':
    'agent/store/store-file: readStore, collection/faults/dead-letters: readLetter, cli/agent/files: readBytes, cli/collection/hints-source: readHintsFile, cli/config-file: readConfigFile, cli/terminal/list-source: readList, cli/terminal/list-source: readTextFile, cli/terminal/word-table: readWordCounts, collection/manifest: readManifest, ' +
    'collection/warc/warc-store: readMember, search/indexing/anchor-notes: readAnchorNotes, gateway/packets/capture-source: readCaptureStream, gateway/packets/capture-source: readCaptureFile, gateway/packets/capture-source: readLiveCapture, ' +
    'repository/html/assets: readAssets, receiver/programs/program-list: readProgramList, site/export/manifest: readManifest',
  'is given values that were read already, not bytes':
    'cluster/settings: readSettings, cluster/settings: readJob, cluster/settings: readMachines, ' +
    'collection/warc/stored-content: readableContent, search/indexing/readership: readingFact, search/indexing/readership: readingOf, crawler/fetch/run-reading: readingOptions, ingest/read/sent-words: readingOfWords, ' +
    'crawler/run/readmit: readmit, crawler/run/readmit: readmitOlder, frontier/queue/exclusion-reasons: readmittedBy, ingest/read/topic-reader: TopicReader, ingest/read/reading: read, ingest/read/reading: readWithin, repository/model/reading-model: readingModel, site/documents/site-document: readContent, gateway/node/packed-reading: unpackedReading',
  'speaks with a server or a request, and is tried against hostile ones':
    'site/site-proxy/origin: readOrigin, follow/bulk/dump-plan: readPackages, follow/bulk/page-batch: readBatchOf, crawler/fetch/exchange-reader: ExchangeReader, crawler/bulk/wacz-copy: readWaczArchive, repository/http/request-body: readBody',
}

const excused = new Map(
  Object.entries(EXCUSED).flatMap(([reason, names]) => names.split(', ').map((name) => [name, reason] as const)),
)

const targets = files.filter((path) => /^test\/fuzz\/fuzz-[a-z]+\.ts$/u.test(path))

/** What targets import and use, by where it is defined. */
const called: ReadonlySet<string> = new Set(
  targets.flatMap((path) => {
    const code = codeOf(read(path))
    const isUsed = (name: string): boolean => [...code.matchAll(new RegExp(`\\b${name}\\b`, 'gu'))].length > 1
    return [...read(path).matchAll(/^import \{(?<names>[^}]*)\} from '(?<from>[^']+)'/gmu)].flatMap(({ groups }) => {
      const names = (groups?.['names'] ?? '').split(',').map((name) => name.trim())
      return names
        .filter((name) => name !== '' && isUsed(name))
        .flatMap((name) => definedAs(groups?.['from'] ?? '', name))
    })
  }),
)

function definedAs(from: string, name: string): string[] {
  if (from.startsWith('../../packages/')) return [placeOf(from.replace('../../', ''), name)]
  const folder = /^@comity\/(\w+)$/u.exec(from)?.[1]
  if (folder === undefined) return []
  const index = read(`packages/${folder}/src/index.ts`)
  const lists = index.matchAll(/^export \{(?<names>[^}]*)\} from '\.\/(?<file>[^']+)'/gmu)
  const list = [...lists].find(({ groups }) => groups!['names']!.split(',').some((one) => one.trim() === name))
  return list === undefined ? [] : [placeOf(`packages/${folder}/src/${list.groups!['file']!}`, name)]
}

test('every parser is called by a fuzz target, or has a reason why not', () => {
  assert.ok(parsers.length > 100, 'parsers are found')
  assert.deepEqual(
    parsers.filter((name) => !called.has(name) && !excused.has(name)),
    [],
  )
})

test('no reason is left for what is gone or is fuzzed by now', () => {
  assert.deepEqual(
    [...excused.keys()].filter((name) => !parsers.includes(name) || called.has(name)),
    [],
  )
})
