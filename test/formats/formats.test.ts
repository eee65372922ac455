/**
 * What users of the first version have on disk opens, by the commands they type, and holds what it held: a collection with its
 * index and inbox, a site's journal, a gateway's state, a folder of agents. See `kept-formats.ts`.
 */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { FileInbox, SubscriptionStore } from '@comity/collection'
import { decodeBody, readBatchAnswer } from '@comity/protocol'
import { shippedText } from '@comity/index'
import { FileJournal } from '@comity/site'
import { comity, comityHere, lastJson } from '../../packages/cli/src/testing/spawned-comity.ts'
import { gatewayReceiver } from '../gateway/gateway-receiver.ts'
import { comesTrue } from '../crawl/quick-crawl.ts'
import { found } from './commands.ts'
import { HARBOUR, openHarbour, openUniversity, UNIVERSITY_HOST } from './harbour-site.ts'
import { fileOf, FIXTURES, KEPT, unpack } from './kept-formats.ts'
import type { KeptFormat } from './kept-formats.ts'
import { capture, edit, gatewayWords, PIER, plank } from './make-formats.ts'
import { SETTLED, TALKS, talksArchive } from './settled-collection.ts'
import { openSubscriber } from './subscriber.ts'
import { WAITING } from './waiting-batch.ts'

const scratch = mkdtempSync(join(tmpdir(), 'comity-formats-'))
let copies = 0
after(() => rmSync(scratch, { recursive: true, force: true }))

/** A copy for one test. */
const held = (...names: readonly KeptFormat[]): string => unpack(join(scratch, String(++copies)), ...names)

type Json = Readonly<Record<string, unknown>>

async function json<T = Json>(...words: readonly string[]): Promise<T> {
  const ended = await comityHere([...words, '--json'])
  assert.equal(ended.code, 0, ended.stderr)
  return lastJson(ended) as T
}

interface Found {
  readonly results: readonly { readonly url: string; readonly folded: number }[]
}

interface Story {
  readonly captures: readonly Json[]
  readonly row: Json
}

const LIMIT = { timeout: 60_000 }

test('what is kept is as it was kept', LIMIT, () => {
  for (const name of Object.keys(KEPT) as KeptFormat[])
    assert.equal(hash('sha256', readFileSync(fileOf(name)), 'hex'), KEPT[name], name)
  assert.equal(readdirSync(FIXTURES).length, Object.keys(KEPT).length)
})

describe('a collection of the first format', LIMIT, () => {
  const dir = join(held('collection-1'), 'collection')

  test('is looked at', async () => {
    const facts = await json('inspect', dir)
    const { known, states, outcomes, statuses, pages, kinds, outside, siteCount } = facts
    assert.deepEqual([known, pages, siteCount], [21, 14, 2])
    assert.deepEqual(states, { waiting: 0, leased: 0, done: 18, failed: 2, outside: 1, forgotten: 0 })
    const errors = { 'client-error': 2, 'redirect-loop': 1, 'server-error': 1 }
    assert.deepEqual(outcomes, { ok: 12, 'not-modified': 2, redirect: 2, ...errors })
    assert.deepEqual(statuses, { 200: 14, 301: 1, 302: 2, 404: 1, 410: 1, 500: 1 })
    assert.deepEqual(facts['knownOutcomes'], { ok: 14, redirect: 2, ...errors })
    assert.deepEqual([kinds, outside], [{ page: 12, document: 1, text: 1 }, { robots: 1 }])
    const { lastWatch, cooperating } = facts['freshness'] as { lastWatch: { sample: Json }; cooperating: number }
    assert.equal(cooperating, 1)
    const { policy, pages: watched, gateways } = lastWatch.sample as { policy: string; pages: number; gateways: Json }
    assert.deepEqual([policy, watched], ['value', 14])
    const { batches, people, skipped } = gateways['north'] as Json
    assert.deepEqual([batches, people, skipped], [1, 2, { 'program-login': 1 }])
  })

  test('tells the story of a page that changed, and of one that a gateway saw', async () => {
    const news = await json<Story>('inspect', dir, `${HARBOUR}/news`)
    const { title, changes, outcome, language } = news.row
    assert.deepEqual([title, changes, outcome, language], ['News of the harbour', 1, 'ok', 'en'])
    const digests = news.captures.map(({ digest }) => digest)
    assert.deepEqual(new Set(digests), new Set([digests[0], news.row['digest']]))
    assert.notEqual(digests[0], news.row['digest'])
    const home = await json<Story>('inspect', dir, `${HARBOUR}/`)
    assert.deepEqual([home.row['etag'], home.captures.at(-1)?.['outcome']], ['"home"', 'not-modified'])
    const again = await json('inspect', dir, `${HARBOUR}/fog-again`)
    assert.equal(again['nearDuplicateOf'], `${HARBOUR}/fog`)
    const library = await json<Story>('inspect', dir, `http://${UNIVERSITY_HOST}/library`)
    assert.deepEqual(
      library.captures.map(({ source, scheme, why }) => [source, scheme, why]),
      [
        ['gateway', 'gateway', 'seen by gateway north as somebody read it'],
        ['crawl', undefined, undefined],
      ],
    )
  })

  const answers: [words: string, paths: readonly string[]][] = [
    ['ice', ['/ice', '/ice-copy', '/']],
    ['"buoy was stolen"', ['/news']],
    ['tides', ['/tides.pdf', '/']],
    ['lang:de hafen', ['/deutsch']],
    ['wallflower', []],
    ['well', []],
    ['library', ['/library']],
    ['parcel', ['/packed']],
    ['lighthouse', ['/notes.txt', '/fog']],
  ]
  test('is searched by the index that was made then, and by one that is made anew', async () => {
    const copy = join(held('collection-1'), 'collection')
    for (const [words, paths] of answers) assert.deepEqual(await found(copy, words), paths, words)
    const { results } = await json<Found>('search', copy, 'pilots')
    assert.deepEqual([results.length, results[0]?.folded], [1, 1])
    const { documents } = await json('index', copy, '--anew')
    assert.equal(documents, 13)
    for (const [words, paths] of answers)
      assert.deepEqual((await found(copy, words)).toSorted(), paths.toSorted(), words)
  })

  test('is handed over, with the words of its pages, and taken in by another', async () => {
    const [rows, archive] = [join(scratch, 'rows.jsonl'), join(scratch, 'harbour.wacz')]
    await json('export', dir, '--jsonl', rows, '--all', '--text', '--wacz', archive)
    const lines = readFileSync(rows, 'utf8').trimEnd().split('\n')
    const pages = new Map(lines.map((line) => JSON.parse(line) as Json).map((row) => [String(row['url']), row]))
    assert.equal(pages.size, 20)
    assert.equal(pages.get(`${HARBOUR}/moved`)?.['redirectTo'], `${HARBOUR}/fog`)
    assert.equal(pages.get(`${HARBOUR}/ice-copy`)?.['duplicateOf'], `${HARBOUR}/ice`)
    assert.match(String(pages.get(`${HARBOUR}/packed`)?.['text']), /came in a small parcel/)
    assert.match(String(pages.get(`${HARBOUR}/deutsch`)?.['text']), /Möwen schreien/)
    const other = join(scratch, 'imported')
    const { captures, skipped } = await json<{ captures: number; skipped: Json }>('import', archive, '--into', other)
    assert.ok(captures >= 40, `${captures} captures, ${JSON.stringify(skipped)}`)
    assert.deepEqual(await found(other, 'stolen'), ['/news'])
  })

  test('shows what it failed on, and lets it be tried again and dropped', async () => {
    const copy = join(held('collection-1'), 'collection')
    const { letters } = await json<{ letters: Json[] }>('letters', copy)
    assert.deepEqual(
      letters.map(({ name, kind, reason }) => [name, kind, reason]),
      [
        ['crawl-1', 'page', 'TypeError: a day that was bad'],
        ['import-1', 'record', 'RangeError: another'],
      ],
    )
    const { url, bytes, trace } = await json('letters', copy, 'crawl-1')
    assert.deepEqual([url, bytes, trace], [`${HARBOUR}/lost`, 20, 'at reading.ts'])
    assert.equal((await json('letters', copy, '--retry', 'all'))['retry'], 1)
    assert.equal((await json('letters', copy, '--drop', 'import-1'))['dropped'], 1)
  })

  test('is crawled on, in the order of its numbers, and forgets', async () => {
    await using sites = new AsyncDisposableStack()
    sites.use(await openHarbour(() => 2))
    sites.use(await openUniversity())
    const copy = join(held('collection-1'), 'collection')
    const ice = await json<Story & { page: number }>('inspect', copy, `${HARBOUR}/ice`)
    const politeness = ['--allow-private', '--delay', '0', '--types', 'page,document,text', '--patience', '1s']
    const { outcomes } = await json<{ outcomes: Json }>('crawl', '--into', copy, '--revisit', '1s', ...politeness)
    assert.ok(Number(outcomes['not-modified']) >= 2, JSON.stringify(outcomes))
    const now = await json<Story & { page: number }>('inspect', copy, `${HARBOUR}/ice`)
    assert.deepEqual([now.page, now.captures.length], [ice.page, ice.captures.length + 1])
    assert.deepEqual(now.captures.slice(0, -1), ice.captures)
    assert.deepEqual(await found(copy, 'ferries'), ['/ice'])
    const { pages } = await json('forget', copy, `${HARBOUR}/news`)
    assert.equal(pages, 1)
    assert.deepEqual(await found(copy, 'stolen'), [])
    assert.equal(((await json('inspect', copy))['states'] as Json)['forgotten'], 1)
  })
})

/** Of what `talksArchive` holds. */
interface Taken {
  readonly captures: number
  readonly pages: number
}

describe('what makes two URLs one page', LIMIT, () => {
  const archive = talksArchive(join(scratch, 'talks.warc.gz'), HARBOUR)
  const [first = '', second = ''] = TALKS.map((id) => `${HARBOUR}/talk?session=${id}`)
  const take = async (into: string): Promise<Taken & { stderr: string }> => {
    const ended = await comityHere(['import', archive, '--into', into, '--json'])
    assert.equal(ended.code, 0, ended.stderr)
    return { ...(lastJson(ended) as unknown as Taken), stderr: ended.stderr }
  }

  test('is what it was in a collection of the first format, which every command that writes it says', async () => {
    const copy = join(held('collection-1'), 'collection')
    const says = /^note: .* was made by older URL rules and goes on with them: .* crawl into a new directory/m
    const { captures, pages, stderr } = await take(copy)
    assert.deepEqual([captures, pages], [4, 2])
    assert.match(stderr, says)
    for (const typed of [first, second, `${HARBOUR}/talk`])
      assert.equal((await json<Story & { url: string }>('inspect', copy, typed)).url, `${HARBOUR}/talk`)
    assert.deepEqual(((await json('inspect', copy))['urlRules'] as Json)['version'], 1)
    assert.match((await comityHere(['inspect', copy])).stdout, /URL rules\n {2}version 1: long hexadecimal numbers/)
    for (const words of [
      ['index', copy],
      ['forget', copy, second],
    ]) {
      const ended = await comityHere(words)
      assert.equal(ended.code, 0, ended.stderr)
      assert.match(ended.stderr, says, words[0])
    }
    assert.deepEqual((await take(copy)).captures, 0, 'what was forgotten stays out in both spellings')
    const crawled = await comityHere(['crawl', '--into', copy, '--allow-private', '--max-pages', '1'])
    assert.match(crawled.stderr, says)
  })

  test('is no long number in a new one', async () => {
    const into = join(scratch, 'today')
    const { captures, pages, stderr } = await take(into)
    assert.deepEqual([captures, pages, stderr], [4, 3, ''])
    for (const typed of [first, second])
      assert.equal((await json<Story & { url: string }>('inspect', into, typed)).url, typed)
    assert.deepEqual(((await json('inspect', into))['urlRules'] as Json)['version'], 3)
  })

  test('is what was set for a site, in a collection that keeps it', async () => {
    const copy = join(held('collection-2'), 'collection')
    const { urlRules } = await json<{ urlRules: { version: number; sites: unknown } }>('inspect', copy)
    const sites = [{ origin: SETTLED, dropParameters: ['session'], keepParameters: ['utm_source'] }]
    assert.deepEqual([urlRules.version, urlRules.sites], [2, sites])
    const talk = await json<Story & { url: string }>('inspect', copy, `${SETTLED}/talk?session=x&utm_source=a`).catch(
      () => undefined,
    )
    assert.equal(talk, undefined)
    for (const [typed, url] of [
      [`${SETTLED}/talk?session=${TALKS[1]}`, `${SETTLED}/talk`],
      [second, second],
    ] as const)
      assert.equal((await json<Story & { url: string }>('inspect', copy, typed)).url, url)
    const { captures, stderr } = await take(copy)
    assert.equal(captures, 0)
    assert.match(
      stderr,
      /^note: URLs go by the settings that .* was made with: https:\/\/talks\.example without session, with utm_source\.$/m,
    )
  })
})

test('an inbox of the first format is read by a watch from where the collection was', LIMIT, async () => {
  const folder = held('collection-1', 'inbox-1')
  const dir = join(folder, 'collection')
  {
    await using pending = await FileInbox.open(dir, 0, { name: 'pending' })
    const [{ door, proof, claim } = assert.fail('nothing is pending')] = await pending.read(0, 1)
    assert.deepEqual([door, proof, claim?.key], ['indexnow', 'pending', 'a-key-of-the-harbour'])
    const [{ origin, topic, state, scheme } = assert.fail('no subscription')] = SubscriptionStore.open(dir).all()
    assert.deepEqual([origin, topic, state, scheme], [HARBOUR, `${HARBOUR}/changes`, 'active', 'changes'])
  }
  await using harbour = await openHarbour(() => 2)
  await using _ = await openUniversity()
  const words = ['watch', dir, '--listen', '127.0.80.9:0', '--gateways', join(folder, 'repository/gateways.json')]
  const { promise: started, resolve: start } = Promise.withResolvers<ChildProcess>()
  const ended = comity(
    [...words, '--allow-private', '--delay', '0', '--policy', 'metadata', '--budget', '20/s', '--json'],
    {
      onStart: start,
    },
  )
  const isDone = async (): Promise<boolean> =>
    (await found(dir, 'observatory')).length > 0 &&
    (await found(dir, '"found again"')).length > 0 &&
    (await found(dir, '"keeper of the logbook"')).length > 0 &&
    (await found(dir, 'ferries')).length > 0
  const isTaken = await comesTrue(isDone)
  ;(await started).kill('SIGINT')
  const end = await ended
  assert.ok(isTaken, end.stderr)
  assert.equal(end.code, 0, end.stderr)
  const { gateways, pushes } = lastJson(end)['watch'] as { gateways: Json; pushes: { outcomes: Json } }
  assert.equal((gateways['west'] as Json)['batches'], 1)
  assert.equal((gateways['north'] as Json)['batches'], 1)
  assert.deepEqual(pushes.outcomes, { applied: 2, heard: 1 })
  assert.ok(harbour.paths.includes('/ice'))
  const news = await json<Story>('inspect', dir, `${HARBOUR}/news`)
  const sent = news.captures.find(({ source }) => source === 'push')
  assert.equal(sent?.['why'], 'sent by the site: pages by push')
})

const publishing = (folder: string): string[] => {
  const at = (name: string): string => join(folder, 'pier', name)
  return ['publish', at('www'), '--base', PIER, '--journal', at('journal'), '--allow-private']
}

// `documents`: what was published before decides how many there are.
journalOf('journal-1', 17)
journalOf('journal-2', 19)

function journalOf(format: 'journal-1' | 'journal-2', documents: number): void {
  describe(`the journal of a site, as ${format} is kept`, LIMIT, () => {
    test('has the changes that were kept when it was written anew, and those after', async () => {
      const folder = held(format)
      await using journal = await FileJournal.open(join(folder, 'pier/journal'))
      const { last, since, pageCount, cutBytes } = journal
      assert.deepEqual([last, since, pageCount, cutBytes], [8, 5, 4, 0])
      assert.deepEqual(
        journal.changesAfter(since)?.map(({ number, path, change }) => [number, path, change]),
        [
          [6, '/third.html', 'deleted'],
          [7, '/second.html', 'updated'],
          [8, '/fourth.html', 'created'],
        ],
      )
      const earlier = plank('Second')
      const version = journal.version(`sha-256:${hash('sha256', earlier, 'hex')}`)
      assert.equal(Buffer.from(version ?? []).toString(), earlier)
    })

    test('goes on with the next number, and tells subscribers what they have not heard', async () => {
      const folder = held(format)
      await using crawler = await openSubscriber()
      edit(join(folder, 'pier/www'), 'fourth.html', '<title>Fourth</title><p>A new plank.', 600)
      const { pages, scan, made, push } = await json<{ pages: number; scan: Json; made: Json; push: Json }>(
        ...publishing(folder),
        '--into',
        join(folder, 'pier/out'),
        '--push',
        crawler.url,
      )
      const { created, updated, deleted } = scan
      assert.deepEqual([pages, created, updated, deleted], [4, 0, 1, 0])
      assert.deepEqual([made['foreign'], made['files']], [[], documents])
      const told = crawler.received.find(({ path }) => path === '/')!
      const decoded = decodeBody(told.body, told.headers['content-encoding'], { maxBytes: 1 << 24 })
      assert.ok(decoded.kind === 'ok')
      const sent = readBatchAnswer(decoded.body).pages.map(({ status, url }) => [status, url])
      // What the subscriber holds is still known: a difference is enough.
      assert.deepEqual(sent, [
        [226, `${PIER}second.html`],
        [200, `${PIER}fourth.html`],
      ])
      const [letter] = push['deadLetters'] as Json[]
      assert.deepEqual([letter?.['path'], letter?.['number'], letter?.['status']], ['/first.html', 5, 422])
      await using journal = await FileJournal.open(join(folder, 'pier/journal'))
      assert.equal(journal.last, 9)
    })

    test('has a ledger that is added to', async () => {
      const folder = held(format)
      const path = join(folder, 'pier/journal/ledger.json')
      interface Row {
        readonly crawler: string
        readonly scheme: string
        readonly requests: number
      }
      const rowsOf = (text: string): Row[] => (JSON.parse(text) as { rows: Row[] }).rows
      const requests = (rows: readonly Row[], scheme: string): number | undefined =>
        rows.find((row) => row.crawler === 'Googlebot' && row.scheme === scheme)?.requests
      assert.equal(requests(rowsOf(readFileSync(path, 'utf8')), 'page'), 2)
      const { promise: listening, resolve } = Promise.withResolvers<readonly [string, ChildProcess]>()
      const ended = comity([...publishing(folder), '--serve', '0', '--hub', '--json'], {
        onStart: (child) => child.stdout?.once('data', (said: string) => resolve([said, child])),
      })
      const [said, child] = await Promise.race([
        listening,
        ended.then(({ stderr }) => Promise.reject(new Error(`it ended: ${stderr}`))),
      ])
      const { url, ledger } = JSON.parse(said) as { url: string; ledger: string }
      await (await fetch(`${url}first.html`, { headers: { 'user-agent': 'Googlebot/2.1' } })).text()
      const shown = await (await fetch(`${ledger}ledger.json`)).text()
      child.kill('SIGINT')
      assert.equal((await ended).code, 0)
      assert.match(shown, /Googlebot/)
      const rows = rowsOf(readFileSync(path, 'utf8'))
      assert.deepEqual([requests(rows, 'page'), requests(rows, 'sitemap')], [3, 1])
    })
  })
}

const gateways: readonly [format: 'gateway-1' | 'gateway-3', numbers: readonly number[], sent: readonly string[]][] = [
  ['gateway-1', [2, 3], ['/archive', '/new']],
  ['gateway-3', [1, 2], ['/archive', '/lecture', '/new']],
]
for (const [format, numbers, sent] of gateways)
  test(
    `the state of a gateway, as ${format} is kept: what waits is sent, what was shipped is known`,
    LIMIT,
    async () => {
      const folder = held(format)
      const state = join(folder, 'north')
      await using receiver = await gatewayReceiver()
      receiver.trust((await comityHere(['gateway', 'key', '--state', state, '--hosts', UNIVERSITY_HOST])).stdout)
      const read = capture(join(folder, 'again.pcap'), { '/lecture': 'Lecture', '/login': 'Login', '/new': 'News' })
      const program = ['--program', 'rules', '--agents', join(folder, 'north-agents')]
      const report = await json(...gatewayWords(state, receiver.url), '--pcap', read, ...program)
      assert.deepEqual(
        receiver.batches.map(({ number }) => number),
        numbers,
      )
      const urls = receiver.documents().map(({ url }) => new URL(url).pathname)
      assert.deepEqual(urls, sent)
      const { name, version, skipped } = report['program'] as Json
      assert.deepEqual([name, version, skipped], ['rules', '1.0.0', 1])
      assert.deepEqual(report['skipped'], { 'program-login': 1 })
      const { uses } = await json<{ uses: Json[] }>('gateway', 'programs', join(folder, 'repository/programs.json'))
      assert.deepEqual(
        uses.map(({ gateway, runs, faults }) => [gateway, runs, faults]),
        // Of the later one the repository had heard nothing yet.
        format === 'gateway-1' ? [['north', '1.0.0', 0]] : [],
      )
    },
  )

test('the state of a gateway with words in columns: what waits is sent', LIMIT, async () => {
  const state = join(held('gateway-2'), WAITING)
  await using receiver = await gatewayReceiver()
  receiver.trust((await comityHere(['gateway', 'key', '--state', state, '--hosts', UNIVERSITY_HOST])).stdout)
  await json('gateway', '--state', state, '--to', receiver.url)
  const documents = receiver.documents()
  assert.deepEqual(
    documents.map(({ url }) => new URL(url).pathname),
    ['/archive', '/lecture'],
  )
  assert.match(documents.map(shippedText).join(' '), /Archive.*Lecture/)
})

test(
  'a folder of agents, of the first format: who is trusted, what runs, and what waits to be sent',
  LIMIT,
  async () => {
    const folder = held('agents-1', 'journal-1')
    const store = ['--agents', join(folder, 'agents')]
    interface Agents {
      readonly agents: readonly [{ readonly name: string; readonly runs: number; readonly results: number[] } & Json]
      readonly keys: readonly Json[]
    }
    const { agents, keys } = await json<Agents>('agent', 'list', ...store)
    const [agent] = agents
    assert.deepEqual([agent.name, agent.runs, agent.results, keys.length], ['telling', 2, [1, 2], 1])
    const { version } = (agent['next'] as { version: Json }).version
    assert.equal(version, '1.0.0')
    const { runs } = await json<{ runs: Json[] }>('agent', 'run', join(folder, 'pier/www'), '--base', PIER, ...store)
    assert.deepEqual(
      runs.map(({ agent: name, outcome, pages, version: ran }) => [name, outcome, pages, ran]),
      [['telling', 'done', 5, '1.0.0']],
    )
    const { agent: back } = await json<{ agent: Json }>('agent', 'rollback', 'telling', '--to', '2.0.0', ...store)
    assert.equal(back['runs'], 3)
  },
)
