// Runs alone: what it reads may end a process.
/**
 * One bad item stops nothing: commands meet a page, a push, a notice or a record that makes comity fail, by an exception or by
 * its own end, and go on with everything else; a restart does not meet it again. `fault-preload.ts` is the bug.
 *
 * Where a thread or a process ends, it is a real one; everything else runs in this process, which costs a tenth. Of the lives
 * that an item may end one is lived and the others are written down as if they had been, unless COMITY_TORTURE is set.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Attempts, Collection, deadLetters, FACTS, FileInbox } from '@comity/collection'
import type { NewInboxItem } from '@comity/collection'
import { importArchives } from '@comity/crawler'
import type { Archive } from '@comity/crawler'
import { gzipRecord, responseHead, responseRecord, WARC_TYPE } from '@comity/protocol'
import { amount, isTorture } from '@comity/protocol/testing'
import { comity, comityHere, lastJson, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import type { Ended } from '../../packages/cli/src/testing/spawned-comity.ts'
import { createRandom } from '../../packages/testbed/src/seeded-random.ts'
import { heldPages } from '../crawl/held-pages.ts'
import { warcOf } from '../push/push-sender.ts'
import type { SentVersion } from '../push/push-sender.ts'
import { quickCrawl } from '../crawl/quick-crawl.ts'
import { createSmallSite, page } from '../sites/small-site.ts'
import type { SmallSite } from '../sites/small-site.ts'

const MARK = 'shakes-the-reader'
process.env['FAULT_MARK'] = MARK
process.env['FAULT_WAY'] = ''
await import('./fault-preload.ts')

const PRELOAD = fileURLToPath(new URL('fault-preload.ts', import.meta.url))
const LIMIT = { timeout: 600_000 }
/** More lives than an item may end. */
const MOST_LIVES = 12
const LIVES_WRITTEN = 4

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())

type Way = 'throw' | 'kill' | 'thread'

interface Run {
  /** Looked at again and again: a command that runs until somebody stops it is stopped then. */
  readonly isDone?: () => boolean
  readonly hash?: 'sha1' | 'sha256'
}

/** In a process of its own. */
async function faulty(args: readonly string[], way: Way, { isDone, hash = 'sha256' }: Run = {}): Promise<Ended> {
  const env = { NODE_OPTIONS: `--import ${PRELOAD}`, FAULT_MARK: MARK, FAULT_WAY: way, FAULT_HASH: hash }
  return await comity(args, {
    env,
    onStart: (child) => {
      const look = stopWhen(isDone, () => child.kill('SIGTERM'))
      child.on('close', () => clearInterval(look))
    },
  })
}

/** In this one, where the item makes us throw. */
async function faultyHere(args: readonly string[], { isDone, hash = 'sha256' }: Run = {}): Promise<Ended> {
  process.env['FAULT_HASH'] = hash
  process.env['FAULT_WAY'] = 'throw'
  const look = stopWhen(isDone, () => process.emit('SIGTERM'))
  try {
    return await comityHere(args)
  } finally {
    clearInterval(look)
    process.env['FAULT_WAY'] = ''
  }
}

/** The same without the bug. */
async function mendedHere(args: readonly string[], isDone: () => boolean): Promise<Ended> {
  const look = stopWhen(isDone, () => process.emit('SIGTERM'))
  try {
    return await comityHere(args)
  } finally {
    clearInterval(look)
  }
}

function stopWhen(isDone: Run['isDone'], stop: () => void): NodeJS.Timeout | undefined {
  if (isDone === undefined) return undefined
  const look = setInterval(() => {
    if (!isDone()) return
    clearInterval(look)
    stop()
  }, 100)
  return look
}

/** Starts it again as a supervisor would, until it ends by itself. `keys`: by which its attempts are known. */
async function supervised(
  args: readonly string[],
  way: Way,
  { attempts, keys, ...run }: Run & { readonly attempts: string; readonly keys: readonly string[] },
): Promise<{ readonly ended: Ended; readonly lives: number }> {
  for (let lives = 1; ; lives++) {
    const ended = await faulty(args, way, run)
    if (ended.signal !== 'SIGKILL') return { ended, lives }
    assert.ok(lives < MOST_LIVES, `it was met again and again: ${ended.stderr}`)
    if (lives === 1 && !isTorture) writeLives(attempts, keys)
  }
}

/** Others were killed, too, while they worked on it. */
function writeLives(path: string, keys: readonly string[]): void {
  for (let life = 0; life < LIVES_WRITTEN; life++) {
    using attempts = new Attempts(path)
    for (const key of keys) attempts.begin(key)
  }
  using attempts = new Attempts(path)
  assert.ok(
    keys.every((key) => attempts.of(key) === LIVES_WRITTEN + 1),
    'the process that was killed noted what it did',
  )
}

const politeness = ['--allow-private', '--delay', '0s', '--no-index', '--json']

function site(): Promise<SmallSite> {
  return createSmallSite({
    '/': page('Home', '/a', '/bad', '/b'),
    '/a': page('A good page', '/c'),
    '/b': page('Another good page'),
    '/c': page('A page behind a good one'),
    '/bad': page(`It ${MARK}`, '/d'),
  })
}

const GOOD = ['/', '/a', '/b', '/c']

const crawls: [sentence: string, way: Way, threads: string][] = [
  ['a page that makes the reader throw', 'throw', '0'],
  ['a page that makes a thread that reads throw', 'throw', '1'],
  ['a page that ends the thread that reads it', 'thread', '1'],
  ['a page that ends the process', 'kill', '1'],
]
for (const [sentence, way, threads] of crawls) {
  test(`${sentence} is kept aside, and the crawl goes on to its end`, LIMIT, async () => {
    await using pages = await site()
    const into = folder.at(`crawl-${way}-${threads}`)
    const args = ['crawl', `${pages.origin}/`, '--into', into, '--threads', threads, ...politeness]
    const isHere = threads === '0'
    const { ended, lives } = isHere
      ? { ended: await faultyHere(args), lives: 1 }
      : await supervised(args, way, { attempts: join(into, 'attempts-crawl.log'), keys: [`page ${pages.origin}/bad`] })
    assert.equal(ended.code, 0, ended.stderr)
    assert.equal(lives > 1, way === 'kill')
    const { texts } = await heldPages(into)
    for (const path of GOOD) assert.ok(texts.has(pages.origin + path), `${path} is held`)
    // The main thread reads pages too, and there nothing happened.
    if (way === 'thread' && texts.has(`${pages.origin}/bad`)) return
    const [letter, ...more] = deadLetters(into)
    assert.deepEqual([letter?.kind, letter?.url, more], ['page', `${pages.origin}/bad`, []])
    const here = ['crawl', `${pages.origin}/`, '--into', into, '--threads', '0', ...politeness]
    const again = await faultyHere(here)
    assert.equal(again.code, 0, again.stderr)
    assert.equal(deadLetters(into).length, 1, 'a restart does not meet it again')
    assert.match((await comityHere(['inspect', into])).stdout, /Dead letters[^]*such as crawl-1, http/)
    assert.match((await comityHere(['letters', into, 'crawl-1'])).stdout, /the answer of a page that was visited/)
    // Mended, and asked for.
    assert.match((await comityHere(['letters', into, '--retry', 'all'])).stdout, /1 letter to be tried again/)
    const mended = await comityHere(here)
    assert.equal(mended.code, 0, mended.stderr)
    assert.ok((await heldPages(into)).texts.has(`${pages.origin}/bad`))
    assert.deepEqual(deadLetters(into), [])
  })
}

/** A collection of a site, and what waits in its inbox. */
async function watched(name: string, pages: SmallSite, items: readonly Partial<NewInboxItem>[]): Promise<string> {
  const into = folder.at(name)
  await quickCrawl(into, [`${pages.origin}/`], { maxPages: 1 })
  await sendMore(
    into,
    items.map((item) => ({ origin: pages.origin, ...item })),
  )
  return into
}

async function sendMore(into: string, items: readonly Partial<NewInboxItem>[]): Promise<void> {
  await using inbox = await FileInbox.open(into, 0)
  for (const item of items) {
    const usual = { at: Date.now(), door: 'push', scheme: 'pages', proof: 'signature', type: WARC_TYPE } as const
    await inbox.append({ origin: '', body: new Uint8Array(0), ...usual, ...item })
  }
}

const line = (url: string): Partial<NewInboxItem> => ({
  origin: new URL(url).origin,
  scheme: 'changes',
  type: 'application/x-ndjson',
  body: Buffer.from(`${JSON.stringify({ url, change: 'updated', channel: 'websub' })}\n`),
})

/** How far the inbox was dealt with, as the collection says. */
function cursorOf(into: string): unknown {
  const collection = Collection.openReadOnly(into)
  const cursor = collection.fact(FACTS.inbox)
  void collection.close()
  return cursor
}

const pushes: [sentence: string, way: Way, hash: 'sha1' | 'sha256', kinds: readonly string[]][] = [
  ['a page that was sent and makes us throw', 'throw', 'sha256', ['notice', 'sent']],
  ['a record in a push that makes us throw', 'throw', 'sha1', ['notice', 'push']],
  ['a page that was sent and ends the process', 'kill', 'sha256', ['sent']],
]
for (const [sentence, way, hash, kinds] of pushes) {
  test(`${sentence} is kept aside, and what came with it and behind it is taken in`, LIMIT, async () => {
    await using pages = await site()
    const at = Date.now()
    const sent = (path: string, text: string): SentVersion => ({ url: pages.origin + path, body: `<p>${text}`, at })
    const into = await watched(`watch-${way}-${hash}`, pages, [
      { body: warcOf([sent('/a', 'Sent before'), sent('/bad', MARK), sent('/b', 'Sent beside')]) },
      line(`${pages.origin}/?${way === 'kill' ? 'harmless' : MARK}`),
      { body: Buffer.from('no archive at all') },
      { body: warcOf([sent('/c', 'Sent behind')]) },
    ])
    const heard = ['--listen', '127.0.0.1:0', '--poll', '1h', '--budget', '1/h']
    const args = ['watch', into, ...heard, '--for', '200s', '--threads', '0', ...politeness]
    const run = { hash, isDone: () => cursorOf(into) === 4 }
    const ended =
      way === 'throw'
        ? await faultyHere(args, run)
        : (
            await supervised(args, way, {
              ...run,
              attempts: join(into, 'attempts-crawl.log'),
              keys: ['inbox 1', `inbox 1 ${pages.origin}/bad`],
            })
          ).ended
    assert.equal(ended.code, 0, ended.stderr)
    const { texts } = await heldPages(into)
    const taken = ['/a', '/b', '/c'].map((path) => texts.get(pages.origin + path))
    assert.deepEqual(taken, ['<p>Sent before', '<p>Sent beside', '<p>Sent behind'])
    const letters = deadLetters(into)
    assert.deepEqual(letters.map(({ kind }) => kind).toSorted(), kinds, JSON.stringify(letters))
    assert.ok(letters.every(({ origin }) => origin === pages.origin))
    // Something more comes, and when it is dealt with, so would be whatever came before.
    await sendMore(into, [line(`${pages.origin}/?later`)])
    const again = await faultyHere(args, { hash, isDone: () => cursorOf(into) === 5 })
    assert.equal(again.code, 0, again.stderr)
    assert.deepEqual(deadLetters(into), letters, 'a restart does not meet it again')
    // Mended, and asked for: it is taken in as it was sent.
    const wished = await comityHere(['letters', into, '--retry', 'all'])
    assert.match(wished.stdout, new RegExp(`^${letters.length} letters? to be tried again`), wished.stderr)
    const mended = await mendedHere(args, () => deadLetters(into).length === 0)
    assert.equal(mended.code, 0, mended.stderr)
    assert.equal((await heldPages(into)).texts.get(`${pages.origin}/bad`), `<p>${MARK}`)
  })
}

const httpHead = responseHead({ status: 200, statusText: 'OK', headers: [['Content-Type', 'text/html']] })
const recordOf = (path: string, text: string): Uint8Array =>
  // Without a digest: it is reading the page that fails.
  gzipRecord(
    responseRecord({
      url: `http://a.example/${path}`,
      at: 86_400_000,
      httpHead,
      body: Buffer.from(`<title>${text}</title>`),
    }),
  )

// ── killed at any moment, with bad items at hand ──────────────────────────────────────────────────────────────────────

const seed = Number(process.env['COMITY_SEED'] ?? Date.now() % 1_000_000)
/** As few as no good item can be at hand in too many of them. */
const KILLS = amount(3, 30)

/** Letters about what was sent. */
const sentAside = (letters: readonly { readonly kind: string }[]): number =>
  letters.filter(({ kind }) => kind !== 'page').length

/** A life that ends after so long, whatever is at hand. */
async function killedAfter(args: readonly string[], way: Way, ms: number): Promise<void> {
  const env = { NODE_OPTIONS: `--import ${PRELOAD}`, FAULT_MARK: MARK, FAULT_WAY: way, FAULT_HASH: 'sha256' }
  const ended = await comity(args, { env, onStart: (child) => void setTimeout(() => child.kill('SIGKILL'), ms) })
  assert.ok(ended.signal === 'SIGKILL' || ended.code === 0, ended.stderr)
}

test(
  `a watch with bad items at hand, killed ${KILLS} times, loses nothing good (COMITY_SEED=${seed})`,
  LIMIT,
  async (t) => {
    const random = createRandom(seed)
    await using pages = await site()
    const at = Date.now()
    const sent = (path: string, text: string): SentVersion => ({ url: pages.origin + path, body: `<p>${text}`, at })
    const into = await watched('killed-watch', pages, [
      { body: warcOf([sent('/a', 'Sent before'), sent('/bad', MARK), sent('/b', 'Sent beside')]) },
      line(`${pages.origin}/?${MARK}`),
      { body: Buffer.from('no archive at all') },
      { body: warcOf([sent('/c', 'Sent behind')]) },
    ])
    const args = ['watch', into, '--listen', '127.0.0.1:0', '--poll', '1h', '--budget', '1/h', '--for', '200s']
    const all = [...args, '--threads', '1', ...politeness]
    // A thread that is gone, or an exception, whatever it was the last time.
    for (let kill = 0; kill < KILLS; kill++)
      await killedAfter(all, random.pick(['throw', 'thread']), random.between(600, 3_000))
    // Something more comes, and when it is dealt with, so is whatever came before.
    await sendMore(into, [line(`${pages.origin}/?last`)])
    const ended = await faulty(all, 'throw', { isDone: () => cursorOf(into) === 5 })
    assert.equal(ended.code, 0, ended.stderr)
    const letters = deadLetters(into)
    const { texts } = await heldPages(into)
    const good: [path: string, text: string][] = [
      ['/a', 'Sent before'],
      ['/b', 'Sent beside'],
      ['/c', 'Sent behind'],
    ]
    for (const [path, text] of good) {
      // A page that was at hand whenever somebody killed us is kept aside, which is not lost.
      const isKept = letters.some(({ url, kind }) => url === pages.origin + path || kind === 'push')
      assert.ok(isKept || texts.get(pages.origin + path) === `<p>${text}`, `${path}: ${JSON.stringify(letters)}`)
    }
    const bad = letters.filter(({ url }) => url === `${pages.origin}/bad`)
    assert.ok(bad.length > 0 || texts.has(`${pages.origin}/bad`))
    assert.ok(letters.length <= 3 * (KILLS + 1), `${letters.length} letters`)
    t.diagnostic(`${letters.length} letters after ${KILLS} kills`)
    await sendMore(into, [line(`${pages.origin}/?later`)])
    const again = await faultyHere([...args, '--threads', '0', ...politeness], { isDone: () => cursorOf(into) === 6 })
    assert.equal(again.code, 0, again.stderr)
    assert.equal(sentAside(deadLetters(into)), sentAside(letters), 'a restart does not meet it again')
  },
)

test(
  `an import with a bad record, killed ${KILLS} times, takes in all others (COMITY_SEED=${seed})`,
  LIMIT,
  async () => {
    const random = createRandom(seed + 1)
    const file = folder.at('killed.warc.gz')
    const records = Array.from({ length: 300 }, (_, n) => recordOf(`k${n}`, `Page ${n}${n === 170 ? MARK : ''}`))
    writeFileSync(file, Buffer.concat(records))
    const into = folder.at('import-killed')
    const args = ['import', file, '--into', into, '--no-index', '--json']
    for (let kill = 0; kill < KILLS; kill++) await killedAfter(args, 'throw', random.between(300, 1_500))
    const ended = await faulty(args, 'throw')
    assert.equal(ended.code, 0, ended.stderr)
    assert.equal((await heldPages(into)).texts.size, 299)
    const letters = deadLetters(into)
    assert.ok(letters.length > 0 && letters.length <= KILLS + 1, `${letters.length} letters`)
    assert.ok(letters.every(({ url }) => url === 'http://a.example/k170'))
  },
)

test('a record that an import dies of is left out by name, and the others are taken in', LIMIT, async () => {
  const file = folder.at('records.warc.gz')
  const records = Array.from({ length: 30 }, (_, n) => recordOf(String(n), `Page ${n}${n === 17 ? MARK : ''}`))
  writeFileSync(file, Buffer.concat(records))
  const into = folder.at('import-kill')
  const args = ['import', file, '--into', into, '--no-index', '--json']
  const attempts = join(into, 'attempts-import.log')
  const { ended } = await supervised(args, 'kill', { attempts, keys: ['record http://a.example/17 86400000'] })
  assert.equal(ended.code, 0, ended.stderr)
  const { skipped } = lastJson(ended) as { skipped: Record<string, number> }
  assert.equal(skipped['fault'], 1)
  assert.equal((await heldPages(into)).texts.size, 29)
  const own = deadLetters(into)
  assert.equal(own.length, 1, JSON.stringify(own))
  assert.match(own[0]?.from ?? '', /records\.warc\.gz, at \d+$/)
})

test(
  'of several archives one holds a record that makes us throw and one is none: all else is taken in',
  LIMIT,
  async () => {
    const archives: Archive[] = [
      { name: 'first', bytes: chunk(recordOf('1', 'First')) },
      {
        name: 'bad',
        bytes: chunk(Buffer.concat([recordOf('2', 'Before'), recordOf('3', MARK), recordOf('4', 'Behind')])),
      },
      { name: 'none', bytes: chunk(Buffer.from('no archive at all')) },
      { name: 'last', bytes: chunk(recordOf('5', 'Last')) },
    ]
    const into = folder.at('import-several')
    process.env['FAULT_HASH'] = 'sha256'
    process.env['FAULT_WAY'] = 'throw'
    const { captures, skipped } = await importArchives({ into, archives, limits: { threads: 0 } })
    process.env['FAULT_WAY'] = ''
    assert.deepEqual([captures, skipped], [4, { fault: 1, 'bad-version': 1 }])
    assert.deepEqual(
      deadLetters(into).map(({ kind, url, from }) => [kind, url, from?.replace(/\d+$/, 'N')]),
      [['record', 'http://a.example/3', 'bad, at N']],
    )
  },
)

async function* chunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
