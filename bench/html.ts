/**
 * How fast `readHtml` is beside htmlparser2 doing the same work: title, text, and links with their anchors.
 *
 *   node bench/html.ts FOLDER [--peers DIR] [--pages 2000] [--rounds 7]
 *
 * FOLDER is searched for .html files; every n-th is taken, so the same folder gives the same pages. The peer is loaded
 * from DIR/node_modules (`npm install --prefix bench/peers`). Without it only our own time is printed.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { pathToFileURL } from 'node:url'
import { decodeText, readHtml } from '@comity/protocol'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    peers: { type: 'string', default: join(import.meta.dirname, 'peers') },
    pages: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '7' },
  },
})
const folder = positionals[0]
if (folder === undefined) {
  console.error('Usage: node bench/html.ts FOLDER [--peers DIR] [--pages 2000] [--rounds 7]')
  process.exit(2)
}

/** What both sides must find. */
interface Found {
  readonly title: string
  readonly text: string
  readonly links: readonly { readonly href: string; readonly anchor: string }[]
}

interface Contestant {
  readonly name: string
  readonly read: (html: string) => Found
}

function loadPages(from: string, count: number): string[] {
  const files = globSync('**/*.html', { cwd: from }).toSorted()
  const step = Math.max(1, Math.floor(files.length / count))
  const chosen = files.filter((_, place) => place % step === 0).slice(0, count)
  return chosen.map((file) => decodeText(readFileSync(join(from, file))).text)
}

/** Medians of rounds in which the two take turns, so that a slow minute of the machine slows both. */
function report(pages: readonly string[], contestants: readonly Contestant[]): void {
  const rounds = contestants.map((): number[] => [])
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const [place, { read }] of contestants.entries()) {
      const start = performance.now()
      for (const page of pages) read(page)
      // The first round warms up.
      if (round > 0) rounds[place]!.push(((performance.now() - start) * 1_000) / pages.length)
    }
  }
  const size = pages.reduce((sum, page) => sum + page.length, 0) / pages.length
  const medians = rounds.map((times) => times.toSorted((a, b) => a - b)[times.length >> 1]!)
  for (const [place, us] of medians.entries()) {
    console.log(`${contestants[place]!.name.padEnd(20)} ${us.toFixed(1)} us/page  ${(size / us).toFixed(0)} MB/s`)
  }
  const columns = contestants.map(({ name }, place) => `${name} ${medians[place]!.toFixed(0)} us`)
  if (medians.length > 1) columns.push(`${(medians[1]! / medians[0]!).toFixed(2)}x`)
  console.log(`html ${pages.length.toLocaleString('en')} pages  ${columns.join('  ')}`)
}

/** Proves equal work: the same links, the same anchors; says where they differ and why that may be. */
function compare(all: readonly string[], ours: (html: string) => Found, theirs: (html: string) => Found): void {
  let links = 0
  let odd = 0
  let characters = 0
  let theirCharacters = 0
  for (const [place, page] of all.entries()) {
    const a = ours(page)
    const b = theirs(page)
    links += a.links.length
    characters += a.text.replaceAll(/\s+/g, '').length
    theirCharacters += b.text.replaceAll(/\s+/g, '').length
    const difference = firstDifference(a, b)
    if (difference === undefined) continue
    if (odd++ < 5) console.log(`page ${place} differs: ${difference}`)
  }
  console.log(`links ${links}, pages that differ ${odd} of ${all.length}`)
  console.log(`text without spaces: ours ${characters}, theirs ${theirCharacters} characters`)
}

function firstDifference(a: Found, b: Found): string | undefined {
  if (a.title !== b.title) return `title "${a.title}" / "${b.title}"`
  if (a.links.length !== b.links.length) return `${a.links.length} / ${b.links.length} links`
  const place = a.links.findIndex((link, at) => link.href !== b.links[at]!.href || link.anchor !== b.links[at]!.anchor)
  return place < 0 ? undefined : `${JSON.stringify(a.links[place])} / ${JSON.stringify(b.links[place])}`
}

/** The part of htmlparser2 used here. */
interface PeerParser {
  write(html: string): void
  end(): void
}
type Handlers = {
  onopentag(name: string, attributes: Record<string, string>): void
  onclosetag(name: string): void
  ontext(text: string): void
}
type PeerModule = { Parser: new (handlers: Handlers, options: { decodeEntities: boolean }) => PeerParser }

async function loadPeer(from: string): Promise<Contestant | undefined> {
  const home = resolve(from, 'node_modules/htmlparser2')
  if (from === '' || !existsSync(home)) return undefined
  const { version, exports }: PeerPackage = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'))
  const entry = exports['.'].import?.default ?? exports['.'].default!
  const { Parser }: PeerModule = await import(pathToFileURL(join(home, entry)).href)
  return { name: `htmlparser2@${version}`, read: (html) => readWithPeer(Parser, html) }
}
interface PeerPackage {
  version: string
  exports: { '.': { import?: { default?: string }; default?: string } }
}

const urlAttributes: Readonly<Record<string, readonly string[]>> = {
  a: ['href'],
  area: ['href'],
  img: ['src'],
  script: ['src'],
  iframe: ['src'],
  frame: ['src'],
  video: ['poster', 'src'],
  audio: ['src'],
  source: ['src'],
  track: ['src'],
  embed: ['src'],
  object: ['data'],
}
const lines = new Set(
  'html title textarea h1 h2 h3 h4 h5 h6 body blockquote br center dd div dl dt head hr li menu ol p pre table ul address article aside caption details dialog fieldset figcaption figure footer form header legend main nav option section select summary tbody tfoot thead tr'.split(
    ' ',
  ),
)

const fold = (words: string): string => words.replaceAll(/[\s\u00a0]+/g, ' ').trim()

/** What a user of htmlparser2 writes to get what `readHtml` gives. */
function readWithPeer(Parser: PeerModule['Parser'], html: string): Found {
  const links: { href: string; anchor: string }[] = []
  let title = ''
  let text = ''
  let anchor: { href: string; anchor: string } | undefined
  let hidden = 0
  let inTitle = false
  const say = (words: string): void => {
    if (inTitle) title += words
    else if (hidden === 0) {
      text += words
      if (anchor !== undefined) anchor.anchor += words
    }
  }
  const close = (): void => {
    if (anchor !== undefined) anchor.anchor = fold(anchor.anchor).slice(0, 200)
    anchor = undefined
  }
  const link = (value: string): { href: string; anchor: string } => {
    const added = { href: value.trim().replaceAll(/[\t\n\r]/g, ''), anchor: '' }
    links.push(added)
    return added
  }
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (lines.has(name)) say('\n')
        else if (name === 'td' || name === 'th') say(' ')
        if (name === 'script' || name === 'style' || name === 'template') hidden++
        if (name === 'title' && title === '') inTitle = true
        if (name === 'a') close()
        if (
          name === 'link' &&
          attributes['href'] &&
          /stylesheet|icon|alternate|next|prev/i.test(attributes['rel'] ?? '')
        )
          link(attributes['href'])
        if (name === 'meta' && attributes['http-equiv']?.toLowerCase() === 'refresh') {
          const target = /url=(.*)/i.exec(attributes['content'] ?? '')?.[1]
          if (target !== undefined) link(target)
        }
        for (const attribute of urlAttributes[name] ?? []) {
          const value = attributes[attribute]
          if (value === undefined || value.startsWith('data:')) continue
          const added = link(value)
          if (name === 'a') anchor = added
          if (name === 'img' || name === 'area') added.anchor = fold(attributes['alt'] ?? '').slice(0, 200)
        }
        if (name === 'img' || name === 'area') say(` ${attributes['alt'] ?? ''} `)
      },
      ontext: say,
      onclosetag(name) {
        if (name === 'script' || name === 'style' || name === 'template') hidden--
        if (name === 'title') inTitle = false
        if (name === 'a') close()
        if (lines.has(name)) say('\n')
        else if (name === 'td' || name === 'th') say(' ')
      },
    },
    { decodeEntities: true },
  )
  parser.write(html)
  parser.end()
  close()
  return { title: fold(title), text: text.replaceAll(/[^\S\n]+/g, ' ').replaceAll(/ ?\n[\n ]*/g, '\n'), links }
}

const pages = loadPages(folder, Number(values.pages))
const contestants: Contestant[] = [{ name: 'ours', read: readHtml }]
const peer = await loadPeer(values.peers)
if (peer === undefined) {
  console.error('No peer: npm install --prefix DIR htmlparser2@12.0.0, then pass --peers DIR')
} else {
  contestants.push(peer)
  compare(pages, readHtml, peer.read)
}
report(pages, contestants)
