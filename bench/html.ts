/**
 * How fast `readHtml` is beside htmlparser2 doing the same work: title, text, and links with their anchors.
 *
 *   node bench/html.ts FOLDER [--peers DIR] [--pages 2000] [--rounds 7]
 *
 * FOLDER is searched for .html files; every n-th is taken, so the same folder gives the same pages. The peer is loaded
 * from DIR/node_modules (`npm install --prefix bench/peers`). Without it only our own time is printed.
 *
 * Equal work: title, text but for its white space, and links with their anchors. Pages in which the two find another thing (as
 * htmlparser2 mends no broken markup) are named and left out of the timing, so that both read the same and find the same; where
 * they are more than one in ten there is no ratio. In the timed rounds links and titles are counted again.
 */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { decodeText, readHtml } from '@comity/protocol'
import { endWith, readArguments } from './arguments.ts'
import { printFigure, printRatio, sayMissing } from './equal-work.ts'
import type { Side, Work } from './equal-work.ts'
import { formatCount, median, ownTime, since } from './measure.ts'
import type { Took } from './measure.ts'

const { flags, positionals } = readArguments(
  import.meta.filename,
  { peers: join(import.meta.dirname, 'peers'), pages: 2_000, rounds: 7 },
  1,
)
const folder = positionals[0]
if (folder === undefined) endWith(import.meta.filename, 'Name a folder of HTML')
/** Of all pages, those that the two may read in different ways. */
const MOST_ODD = 0.1

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

interface Round extends Took {
  readonly work: Work
}

/** One round. Only counts are kept of it, as a pile of results would be the collector's work and not the reader's. */
function readAll(all: readonly string[], read: Contestant['read']): Round {
  let [count, links, titles] = [0, 0, 0]
  const before = ownTime()
  for (const page of all) {
    const found = read(page)
    count++
    links += found.links.length
    titles += found.title.length
  }
  return { ...since(before, ownTime()), work: { pages: count, links, 'characters of titles': titles } }
}

/** Medians of rounds in which the two take turns, so that a slow minute of the machine slows both. */
function sidesOf(all: readonly string[], contestants: readonly Contestant[]): Side[] {
  const rounds = contestants.map((): Round[] => [])
  for (let round = 0; round <= flags.rounds; round++) {
    for (const [place, { read }] of contestants.entries()) {
      const done = readAll(all, read)
      // The first round warms up.
      if (round > 0) rounds[place]!.push(done)
    }
  }
  return contestants.map(({ name }, place) => ({
    name,
    value: (median(rounds[place]!.map(({ seconds }) => seconds)) * 1e6) / all.length,
    cpuSeconds: median(rounds[place]!.map(({ cpuSeconds }) => cpuSeconds)) / all.length,
    work: rounds[place]!.map(({ work }) => work),
  }))
}

/** As it is compared: white space in a text is a matter of taste. */
function foldedOf({ title, text, links }: Found): string {
  const ends = links.map(({ href, anchor }) => `${href} ${anchor}`)
  return [title, text.replaceAll(/\s+/g, ''), ...ends].join('\n')
}

/** Those pages of which both find the same; of some others it is said what differs. */
function agreedOn(all: readonly string[], ours: Contestant['read'], theirs: Contestant['read']): string[] {
  let odd = 0
  const same = all.filter((page, place) => {
    const difference = firstDifference(ours(page), theirs(page))
    if (difference !== undefined && odd++ < 5) console.error(`page ${place} is left out: ${difference}`)
    return difference === undefined
  })
  console.log(`${formatCount(odd)} of ${formatCount(all.length)} pages are left out, as the two find another thing`)
  return same
}

function firstDifference(a: Found, b: Found): string | undefined {
  if (a.title !== b.title) return `title "${a.title}" / "${b.title}"`
  if (a.links.length !== b.links.length) return `${a.links.length} / ${b.links.length} links`
  const place = a.links.findIndex((link, at) => link.href !== b.links[at]!.href || link.anchor !== b.links[at]!.anchor)
  if (place >= 0) return `${JSON.stringify(a.links[place])} / ${JSON.stringify(b.links[place])}`
  return foldedOf(a) === foldedOf(b) ? undefined : `${a.text.length} / ${b.text.length} characters of text`
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

const pages = loadPages(folder, flags.pages)
if (pages.length === 0) endWith(import.meta.filename, `${folder} holds no .html file`)
const ours: Contestant = { name: 'ours', read: readHtml }
const peer = await loadPeer(flags.peers)
const agreed = peer === undefined ? pages : agreedOn(pages, ours.read, peer.read)
const sides = sidesOf(agreed, peer === undefined ? [ours] : [ours, peer])
const what = `html, ${formatCount(agreed.length)} pages of ${formatCount(agreed.reduce((sum, page) => sum + page.length, 0) / agreed.length)} characters`
if (peer === undefined) {
  sayMissing('htmlparser2', 'npm install --prefix bench/peers, or of another folder --peers DIR')
  printFigure(what, 'µs a page', sides[0]!)
} else if (agreed.length < (1 - MOST_ODD) * pages.length) {
  process.exitCode = 1
  console.error(`no ratio: the two agree on ${formatCount(agreed.length)} of ${formatCount(pages.length)} pages only`)
} else printRatio({ what, unit: 'µs a page', better: 'less', ours: sides[0]!, peer: sides[1]! })
