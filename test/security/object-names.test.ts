/**
 * Names that every object has, wherever a stranger may write a name: in a push to a running `comity watch`, in an archive that
 * `comity import` reads, in answers to `comity crawl`. The process goes on, says what became of them, and takes what comes after.
 * (`plain-keys.test.ts` searches the source; `node/gateway-faults.test.ts` does the same for `comity gateway`.)
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Collection, deadLetters, inboxCursor } from '@comity/collection'
import { encodeRecord, newKeyRing, responseRecord, writeClosing } from '@comity/protocol'
import type { HeaderList } from '@comity/protocol'
import { comity, comityHere, lastJson, temporaryFolder } from '../../packages/cli/src/testing/spawned-comity.ts'
import { createCooperatingSite } from '../watch/cooperating-site.ts'
import { PushSender } from '../push/push-sender.ts'
import { CALLS_ONLY, heldOf, page as textPage, until } from '../push/push-watch.ts'
import { createSmallSite, page } from '../sites/small-site.ts'
import type { Route } from '../sites/small-site.ts'

const LIMIT = { timeout: 240_000 }
const NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']
const RING = newKeyRing(Buffer.alloc(32, 21), Date.now() - 86_400_000)

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())

const HTML: HeaderList = [['Content-Type', 'text/html']]

interface Hostile {
  readonly path: string
  readonly http?: HeaderList
  readonly warc?: HeaderList
}

/** Every place of a record where a name is looked up, with every such name. */
const hostile: Hostile[] = NAMES.flatMap((name, n) => [
  { path: `/payload-digest/${n}`, warc: [['WARC-Payload-Digest', `${name}:AAAA`]] },
  { path: `/block-digest/${n}`, warc: [['WARC-Block-Digest', `${name}:AAAA`]] },
  { path: `/type/${n}`, warc: [['WARC-Type', name]] },
  { path: `/identified/${n}`, warc: [['WARC-Identified-Payload-Type', name]] },
  { path: `/profile/${n}`, warc: [['WARC-Profile', name]] },
  { path: `/record-type/${n}`, warc: [['Content-Type', name]] },
  { path: `/media/${n}`, http: [['Content-Type', name]] },
  { path: `/charset/${n}`, http: [['Content-Type', `text/html; charset=${name}`]] },
  { path: `/parameter/${n}`, http: [['Content-Type', `text/html; ${name}=1`]] },
  { path: `/coding/${n}`, http: [...HTML, ['Content-Encoding', name]] },
  { path: `/manipulation/${n}`, http: [...HTML, ['IM', name]] },
  { path: `/field/${n}`, http: [...HTML, [name, '1']] },
  { path: `/robots/${n}`, http: [...HTML, ['X-Robots-Tag', `${name}: ${name}`]] },
  { path: `/relation/${n}`, http: [...HTML, ['Link', `</>; rel="${name}"; ${name}="${name}"`]] },
  { path: `/cache/${n}`, http: [...HTML, ['Cache-Control', `${name}=1, ${name}`]] },
  { path: `/language/${n}`, http: [...HTML, ['Content-Language', name]] },
])

/** One record with its fields put in, instead of those of the same name. */
function recordOf(origin: string, { path, http = HTML, warc = [] }: Hostile, at = Date.now()): Buffer {
  const head = `HTTP/1.1 200 OK\r\n${http.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  const body = Buffer.from(
    `<html lang="constructor"><title>${path}</title><meta name="__proto__" content="constructor"><p>${path}`,
  )
  const text = Buffer.from(
    encodeRecord(responseRecord({ url: origin + path, at, httpHead: Buffer.from(head), body })),
  ).toString('latin1')
  const changed = warc.reduce((record, [name, value]) => {
    const without = record.replace(new RegExp(`\r\n${name}: [^\r]*`), '')
    return without.replace('\r\n', `\r\n${name}: ${value}\r\n`)
  }, text)
  return Buffer.from(changed, 'latin1')
}

/** As senders do: where the keys could not be asked for in time, it comes again. */
async function statusOf(push: () => Promise<{ readonly status: number }>): Promise<number> {
  for (let tries = 1; ; tries++) {
    const { status } = await push()
    if (status !== 503 || tries === 20) return status
    await sleep(500)
  }
}

const closingOf = (origin: string): Uint8Array =>
  writeClosing({ sent: 1, unchanged: 0, rest: [], refused: [] }, `${origin}/`, Date.now())

test('a running watch takes pushes with such names, each for itself, and hears who comes after', LIMIT, async () => {
  await using site = await createCooperatingSite(
    { '/': textPage('Home', '/honest'), '/honest': textPage('First') },
    { calls: { keys: { ring: () => RING } }, schemes: CALLS_ONLY },
  )
  const dir = folder.at('watched')
  const crawled = await comityHere([
    'crawl',
    `${site.origin}/`,
    '--into',
    dir,
    '--allow-private',
    '--delay',
    '0s',
    '--json',
  ])
  assert.equal(crawled.code, 0, crawled.stderr)
  const answers: number[] = []
  const refused: number[] = []
  const hear = async (doors: string): Promise<void> => {
    const sender = new PushSender(doors, site.origin, () => RING)
    for (const one of hostile) {
      const body = Buffer.concat([recordOf(site.origin, one), closingOf(site.origin)])
      answers.push(await statusOf(() => sender.push({ body })))
    }
    for (const name of NAMES) {
      refused.push((await sender.push({ body: 'x', type: name })).status)
    }
    const at = Date.now() + 2_000
    await site.set('/honest', textPage('Second'))
    await sender.pages({ url: `${site.origin}/honest`, body: textPage('Second'), headers: HTML, at })
    await until(
      'the honest page',
      async () => (await heldOf(dir, `${site.origin}/honest`))?.text.includes('Second') === true,
    )
    // A visit may have found it first: what was sent before it is still to be taken in then.
    await until('all that was sent', () => takenIn(dir, hostile.length + 1))
  }
  let failure: unknown
  const watched = await comity(
    ['watch', dir, '--allow-private', '--listen', '127.0.58.1:0', '--for', '200s', '--json'],
    {
      onStderr: (text, child) => {
        const [, doors] = /heard at (http:\S+)/.exec(text) ?? []
        if (doors !== undefined)
          void hear(doors)
            .catch((error: unknown) => (failure = error))
            .finally(() => child.kill('SIGINT'))
      },
    },
  )
  assert.ifError(failure)
  assert.equal(watched.code, 0, watched.stderr)
  assert.deepEqual([...new Set(answers)], [202])
  assert.deepEqual([...new Set(refused)], [415])
  const { watch } = lastJson(watched) as { watch: { pushes: { outcomes: Record<string, number> } } }
  const { outcomes } = watch.pushes
  // Records of no known type hold no page; the honest one may have been told of and visited before it came.
  const records = hostile.filter(({ path }) => !path.startsWith('/type/'))
  assert.ok(total(outcomes) > records.length, JSON.stringify(outcomes))
  assert.deepEqual([outcomes['unreadable'], outcomes['fault']], [2 * NAMES.length, undefined])
  assert.deepEqual(deadLetters(dir), [])
})

async function takenIn(dir: string, count: number): Promise<boolean> {
  await using collection = Collection.openReadOnly(dir)
  return inboxCursor(collection) >= count
}

const total = (counts: Readonly<Record<string, number>>): number => Object.values(counts).reduce((a, b) => a + b, 0)

test('an import takes each record for itself, and says what became of it', LIMIT, async () => {
  const origin = 'http://www.site.example'
  const good = { path: '/good' }
  writeFileSync(folder.at('names.warc'), Buffer.concat([...hostile, good].map((one) => recordOf(origin, one))))
  const dir = folder.at('imported')
  const ended = await comityHere(['import', folder.at('names.warc'), '--into', dir, '--json'])
  assert.equal(ended.code, 0, ended.stderr)
  const { seen, captures, skipped } = lastJson(ended) as {
    seen: number
    captures: number
    skipped: Record<string, number>
  }
  assert.deepEqual([seen, captures + total(skipped)], [hostile.length + 1, seen])
  assert.equal(skipped['fault'], undefined)
  assert.match((await heldOf(dir, `${origin}/good`))?.text ?? '', /good/)
})

test('a crawl meets them in answers and goes on', LIMIT, async () => {
  const met = hostile.filter(({ http }) => http !== undefined)
  const routes = met.map(({ path, http }): [string, Route] => [
    path,
    { headers: Object.fromEntries(http ?? []), body: page(path) },
  ])
  await using site = await createSmallSite({
    '/': page('Home', ...met.map(({ path }) => path), '/last'),
    '/robots.txt': NAMES.map((name) => `User-agent: ${name}\n${name}: ${name}\n`).join(''),
    '/last': page('Last'),
    ...Object.fromEntries(routes),
  })
  const dir = folder.at('crawled')
  const ended = await comityHere([
    'crawl',
    `${site.origin}/`,
    '--into',
    dir,
    '--allow-private',
    '--delay',
    '0s',
    '--json',
  ])
  assert.equal(ended.code, 0, ended.stderr)
  const { outcomes } = lastJson(ended) as { outcomes: Record<string, number> }
  assert.deepEqual([total(outcomes) >= met.length + 2, outcomes['fault']], [true, undefined], JSON.stringify(outcomes))
})
