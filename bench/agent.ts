/**
 * What a remote agent costs: the same program in its sandbox and in plain Node, over the same pages; how long a sandbox
 * takes to start and what memory it takes; and what the partial index of a site weighs beside the site.
 *
 *   node bench/agent.ts [FOLDER] [--pages 600] [--rounds 5]
 *
 * FOLDER is searched for .html files; without one, pages are made from a seed. Equal work: both sides must emit the same
 * records, to the letter, in every round. In plain Node a program has the pages in memory and no walls around it: its time is a bound, not
 * a choice.
 */
import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import { bodyDigest, MemoryPages, runAgent } from '@comity/agent'
import { shippedFromRecord, writeShipment } from '@comity/index'
import { AGENTS, bundleOf, ranPlainly } from './agent-programs.ts'
import type { PlainRun } from './agent-programs.ts'
import { endWith, readArguments } from './arguments.ts'
import { printRatio, proven } from './equal-work.ts'
import type { Work } from './equal-work.ts'
import { formatCount, median, rssAnonMb } from './measure.ts'
import { randomPages } from '../test/search/random-pages.ts'

const { flags, positionals } = readArguments(import.meta.filename, { pages: 600, rounds: 5 }, 1)
const { rounds } = flags

function bodies(): Map<string, Buffer> {
  const [folder] = positionals
  const most = flags.pages
  if (folder === undefined) return new Map(Array.from(randomPages(1, most), ([url, html]) => [url, Buffer.from(html)]))
  const files = globSync('**/*.{html,htm}', { cwd: folder }).toSorted().slice(0, most)
  return new Map(files.map((file) => [`https://a.example/${encodeURI(file)}`, readFileSync(join(folder, file))]))
}

const site = bodies()
if (site.size === 0) endWith(import.meta.filename, `${positionals[0]} holds no .html file`)
const pages = new MemoryPages()
for (const [url, body] of site) pages.add(url, body)
const bytes = site.values().reduce((sum, body) => sum + body.length, 0)
console.log(`${formatCount(site.size)} pages, ${formatCount(bytes / 1e6)} MB of HTML\n`)

interface Measured {
  readonly texts: readonly string[]
  readonly wallMs: number
  readonly cpuMs: number
  readonly rssMb: number
}

async function inSandbox(name: string, over: MemoryPages): Promise<Measured> {
  const texts: string[] = []
  let rssMb = 0
  let watch: NodeJS.Timeout | undefined
  const run = await runAgent({
    bundle: bundleOf(name),
    pages: over,
    onRecord: ({ text }) => texts.push(text),
    onStart: (pid) => (watch = setInterval(() => (rssMb = Math.max(rssMb, rssAnonMb(pid) || 0)), 5)),
  })
  clearInterval(watch)
  if (run.outcome !== 'done') throw new Error(`${name}: ${run.outcome} ${run.message}`)
  return { texts, wallMs: run.use.wallMs, cpuMs: run.use.cpuMs, rssMb }
}

const starts = []
for (let round = 0; round < rounds; round++) starts.push(await inSandbox('visible-text-change', new MemoryPages()))
const startMs = median(starts.map(({ wallMs }) => wallMs))
const startCpuMs = median(starts.map(({ cpuMs }) => cpuMs))
console.log(
  `start and end of a sandbox over no pages            ${formatCount(startMs)} ms on the wall, ${formatCount(startCpuMs)} ms of processor time after Node's own start\n`,
)

/** In the order of the pages, which both take alike. */
const workOf = (texts: readonly string[]): Work => ({
  records: texts.length,
  digest: hash('sha256', texts.join('\n')),
})

for (const name of AGENTS) {
  const [boxed, free]: [Measured[], PlainRun[]] = [[], []]
  for (let round = 0; round <= rounds; round++) {
    boxed.push(await inSandbox(name, pages))
    free.push(await ranPlainly(name, pages))
  }
  // The first round warms up, and must say the same too.
  const [timed, plain] = [boxed.slice(1), free.slice(1)]
  const aPage = (ms: readonly number[]): number => median(ms) / site.size
  printRatio({
    what: `${name}, a page`,
    unit: 'us',
    better: 'less',
    ours: {
      name: 'ours',
      value: 1e3 * aPage(timed.map(({ wallMs }) => wallMs - startMs)),
      cpuSeconds: aPage(timed.map(({ cpuMs }) => cpuMs - startCpuMs)) / 1e3,
      work: boxed.map(({ texts }) => workOf(texts)),
    },
    peer: {
      name: `node@${process.versions.node}`,
      value: 1e3 * aPage(plain.map(({ wallMs }) => wallMs)),
      cpuSeconds: aPage(plain.map(({ cpuMs }) => cpuMs)) / 1e3,
      work: free.map(({ texts }) => workOf(texts)),
    },
  })
  console.log(`  memory of its sandbox: ${formatCount(median(timed.map(({ rssMb }) => rssMb)))} MB`)
}

const packed = (data: Uint8Array | string): number =>
  zstdCompressSync(data, { params: { [constants.ZSTD_c_compressionLevel]: 9 } }).length

/** What goes over the network for the whole site. */
async function weights(): Promise<void> {
  const { texts } = await inSandbox('partial-index', pages)
  const digests = new Map(Array.from(site, ([url, body]) => [url, bodyDigest(body)]))
  const documents = texts.map((text) => {
    const record = JSON.parse(text) as { url: string }
    const read = shippedFromRecord({ ...record }, digests.get(record.url)!, 0)
    if (read.kind === 'refused') throw new Error(read.problem)
    return read.document
  })
  const shipped = documents.map(({ url }) => url)
  const sides = [
    { name: 'the site', work: [{ pages: [...site.keys()] }] },
    { name: 'its partial index', work: [{ pages: shipped }] },
  ]
  if (!proven('what a partial index weighs', sides)) return
  const all = Buffer.concat([...site.values()])
  const rows: [what: string, bytes: number][] = [
    ['HTML', bytes],
    ['HTML, each page gzip', site.values().reduce((sum, body) => sum + gzipSync(body).length, 0)],
    ['HTML, all pages in one zstd', packed(all)],
    ['records of partial-index', texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)],
    ['records of partial-index, zstd', packed(texts.join('\n'))],
    ['the same as a shipment of postings', writeShipment(documents).length],
  ]
  console.log()
  for (const [what, size] of rows)
    console.log(`${what.padEnd(52)} ${formatCount(size / 1e3)} KB   ${((size / bytes) * 100).toFixed(1)} %`)
}
await weights()
