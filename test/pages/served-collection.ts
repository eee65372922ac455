/**
 * A collection as crawls make it, for tests of the pages that show it: a living web of several sites, a lantern museum
 * whose pages change between two crawls, and a site that puts attacks wherever a page can put words.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLivingWeb } from '@comity/testbed'
import type { LivingWeb } from '@comity/testbed'
import { mainPath } from '../../packages/cli/src/testing/spawned-comity.ts'
import { ATTACKS } from '../../packages/repository/src/testing/attacks-fixture.ts'
import { newDirectory, quickCrawl } from '../crawl/quick-crawl.ts'
import { createSmallSite } from '../sites/small-site.ts'
import type { Route, SmallSite } from '../sites/small-site.ts'

export interface ServedCollection extends AsyncDisposable {
  readonly dir: string
  readonly museum: SmallSite
  readonly attacker: SmallSite
  /** Nobody may ever ask it for anything. */
  readonly trap: SmallSite
  readonly web: LivingWeb
}

const escaped = (text: string): string =>
  Array.from(text.toWellFormed(), (letter) => (letter === '\0' ? '' : `&#${letter.codePointAt(0)};`)).join('')

const room = (n: number): string =>
  `<html lang=en><title>Lantern room ${n}</title><h1>Room ${n}</h1><p>The lantern of room ${n} hangs where the keepers ` +
  `of the harbour left it in ${1800 + n}. Visitors may light it at dusk.</p><a href="/">All lanterns</a>`

/** Rooms of lanterns; some of what it shows is another time's. */
function museumRoutes(isLater: () => boolean, trap: string): Record<string, Route> {
  const rooms = Array.from({ length: 24 }, (_, n) => [`/room/${n}`, room(n)] as const)
  const links = rooms.map(([path], n) => `<a href="${path}">lantern ${n}</a>`).join(' ')
  const others = ['/news', '/private', '/danger', '/notes.txt', '/deutsch', '/lost', '/dressed']
  return {
    '/': `<html lang=en><title>The lantern museum</title><h1>Lanterns</h1><p>A museum of lanterns.</p>${links}
      ${others.map((path) => `<a href="${path}">${path.slice(1)}</a>`).join(' ')}`,
    ...Object.fromEntries(rooms),
    '/news': () =>
      `<html lang=en><title>News of the lanterns</title><p>Opening hours: nine to five.</p>
       <p>${isLater() ? 'A lantern was stolen in the night.' : 'All lanterns are well.'}</p><p>Admission is free.</p>`,
    '/private':
      '<html lang=en><meta name=robots content=noarchive><title>Private lantern</title><p>unquotable lantern lore',
    '/danger': dangerous(trap),
    '/dressed': `<!doctype html><html lang=en><title>Dressed lantern</title><link rel=stylesheet href=/lantern.css>
      <h1>Dressed lantern</h1><img src=/lantern.png width=40 height=40 alt="A lantern"><p>See the
      <a href="/news#stolen">news</a>, <a href="/moved">the old page</a>, <a href="${trap}/never">elsewhere</a>.`,
    '/lantern.css': {
      headers: { 'content-type': 'text/css' },
      body: 'h1 { color: rgb(170, 85, 0); background: url(lantern.png) }',
    },
    '/lantern.png': { headers: { 'content-type': 'image/png' }, body: ONE_PIXEL },
    '/moved': { status: 301, headers: { location: '/news' } },
    '/notes.txt': { headers: { 'content-type': 'text/plain' }, body: 'lantern notes <script>window.ran=1</script>' },
    '/deutsch':
      '<html lang=de><title>Die Laterne</title><p>Laterne, Laterne, Sonne, Mond und Sterne. Brenne auf, mein Licht, aber ' +
      'nur meine liebe Laterne nicht. lantern',
  }
}

const ONE_PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNQMDD4DwACXAF/Q4bJ+AAAAABJRU5ErkJggg==',
  'base64',
)

/** All that a stored page could try; none of it may happen. */
const dangerous = (trap: string): string => `<!doctype html><html lang=en><head><title>Dangerous lantern</title>
<meta http-equiv=refresh content="0;url=${trap}/refreshed"><base href="${trap}/">
<link rel=stylesheet href="${trap}/a.css"><link rel=preconnect href="${trap}/">
<script>window.ran = 1; fetch('${trap}/fetched')</script><script src="${trap}/a.js"></script>
<style>@import "${trap}/b.css"; body { background: url(${trap}/c.png) }</style></head>
<body onload="window.ran=2"><h1>Dangerous lantern</h1><img src="${trap}/d.png" onerror="window.ran=3">
<img src="x" onerror="window.ran=4"><iframe src="${trap}/e"></iframe><iframe srcdoc="<script>top.ran=5</script>">
</iframe><object data="${trap}/f"></object><embed src="${trap}/g"><video src="${trap}/h">
</video><svg onload="window.ran=6"><use href="${trap}/i#j"/></svg><form action="${trap}/k"><input
autofocus onfocus="window.ran=7"><button>Send</button></form><a href="javascript:window.ran=8">lantern</a></body></html>`

const inHeader = (text: string): string => text.replaceAll(/[^\t\x20-\x7e]/g, '').slice(0, 200) || 'x'

/** Each attack in a title, a heading, a text, the words of links, a URL and whatever headers take it. */
function attackRoutes(): Record<string, Route> {
  const paths = ATTACKS.map((attack, i) => `/mischief/${i}?${encodeURIComponent(attack.toWellFormed()).slice(0, 500)}`)
  const routes = ATTACKS.map((attack, i): [string, Route] => [
    paths[i]!,
    {
      headers: {
        'content-type': `text/html; charset=utf-8; x="${inHeader(attack).replaceAll('"', '')}"`,
        'content-language': inHeader(attack),
        etag: `"${inHeader(attack).replaceAll('"', '')}"`,
        'last-modified': inHeader(attack),
      },
      body: `<html lang="${escaped(attack)}"><title>${escaped(attack)}</title><h1>${escaped(attack)}</h1><p>mischief ${escaped(attack)}
        <a href="${escaped(paths[(i + 1) % paths.length]!)}">${escaped(attack)}</a>
        <a href="/lost/${encodeURIComponent(attack.toWellFormed()).slice(0, 300)}">${escaped(attack)}</a>`,
    },
  ])
  const links = paths.map((path, i) => `<a href="${escaped(path)}">${escaped(ATTACKS[i]!)}</a>`).join('\n')
  return {
    '/': `<title>${escaped(ATTACKS[1]!)}</title>mischief index ${links}`,
    '/robots.txt': {
      headers: { 'content-type': 'text/plain' },
      body: `User-agent: *\nAllow: /\n# ${ATTACKS[0]}${ATTACKS[3]}`,
    },
    ...Object.fromEntries(routes),
  }
}

const calm = (pages: number) => ({
  pages,
  robots: 'allow' as const,
  latencyMs: 1,
  bytesPerSecond: Infinity,
  changeEveryMs: Infinity,
  troubleMs: 0,
})

export async function createServedCollection(): Promise<ServedCollection> {
  let isLater = false
  const trap = await createSmallSite({}, '127.0.70.3')
  const museum = await createSmallSite(
    museumRoutes(() => isLater, trap.origin),
    '127.0.70.1',
  )
  const attacker = await createSmallSite(attackRoutes(), '127.0.70.2')
  const web = await createLivingWeb({
    seed: 11,
    firstAddress: '127.0.71.1',
    sites: [40, 30, 20, 12, 8].map(calm),
  })
  const dir = newDirectory()
  const seeds = [museum, attacker, ...web.sites].map(({ origin }) => `${origin}/`)
  await quickCrawl(dir, seeds, {
    index: true,
    kinds: ['page', 'text', 'image', 'style'],
    maxTries: 1,
    patienceMs: 2_000,
  })
  isLater = true
  await quickCrawl(dir, [], {
    index: true,
    kinds: ['page', 'text', 'image', 'style'],
    revisitAfterMs: 0,
    maxTries: 1,
    patienceMs: 2_000,
  })
  return {
    dir,
    museum,
    attacker,
    trap,
    web,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([museum, attacker, trap, web].map((site) => site[Symbol.asyncDispose]()))
    },
  }
}

export interface ServeProcess extends AsyncDisposable {
  /** Without a slash at its end. */
  readonly base: string
  readonly token: string
}

/** The real `comity serve`, in a process of its own. Its end must be a good one, and it must have nothing to complain of. */
export async function startServe(dir: string): Promise<ServeProcess> {
  const child = spawn(process.execPath, [mainPath, 'serve', dir, '--port', '0', '--json'])
  let complaints = ''
  child.stderr.on('data', (piece: Buffer) => (complaints += piece.toString()))
  const [line] = (await Promise.race([once(child.stdout, 'data'), once(child, 'exit')])) as [Buffer | number]
  if (typeof line === 'number') throw new Error(`comity serve ended with ${line}: ${complaints}`)
  const { url } = JSON.parse(line.toString()) as { url: string }
  return {
    base: url.slice(0, -1),
    token: readFileSync(join(dir, 'serve.token'), 'utf8').trim(),
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = (await ended) as [number | null]
      if (code !== 0 || complaints.trim() !== 'stopping')
        throw new Error(`comity serve ended with ${code}: ${complaints}`)
    },
  }
}
