// Runs alone: all that share a process with what it holds would pay for it at every collection of garbage.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import {
  deltaAnswer,
  hubSignature,
  KEY_DIRECTORY_PATH,
  newKeyRing,
  publishedKeys,
  WARC_TYPE,
  writeBatchPage,
  writeClosing,
  writeDigestField,
  writeIndexNow,
  writeKeySet,
} from '@comity/protocol'
import type { BatchPage, HeaderList, Instant } from '@comity/protocol'
import { pushSigner } from '@comity/site'
import { SiteCopy } from './copy.ts'
import type { Answered, Asked } from './http.ts'
import { PushIntake } from './intake.ts'
import type { SentMessage } from './intake.ts'

const BASE = 'https://www.example.org/'
const [SECRET, KEY] = ['very secret', 'c0ffee00c0ffee00']
const AT = Date.UTC(2026, 0, 2)
const TEXT = 'a page with some words, most of which stay as they are when it changes: '.repeat(10)

class Site {
  readonly asked: string[] = []
  readonly pages = new Map<string, string>()

  async ask({ path }: Asked): Promise<Answered> {
    this.asked.push(path)
    const text = this.pages.get(path)
    return {
      status: text === undefined ? 404 : 200,
      headers: [['Content-Type', 'text/plain']],
      body: Buffer.from(text ?? ''),
    }
  }
}

function opened(
  held: string | undefined,
  by: 'websub' | 'push' | 'indexnow' = 'websub',
): { site: Site; copy: SiteCopy; intake: PushIntake } {
  const [site, copy] = [new Site(), new SiteCopy()]
  if (held !== undefined) copy.take('/a', Buffer.from(held), [], AT)
  site.pages.set('/a', 'as the site has it')
  const terms = { scheme: by === 'indexnow' ? 'changes' : 'pages', by, when: 'at once' } as const
  return { site, copy, intake: new PushIntake({ copy, terms, secret: SECRET, base: BASE, line: site }) }
}

const whole = (text: string, status = 200): BatchPage => ({
  url: `${BASE}a`,
  status,
  headers: [['Repr-Digest', writeDigestField(Buffer.from(text))]],
  body: Buffer.from(text),
})

function difference(from: string, to: string): BatchPage {
  const [base, body] = [Buffer.from(from), Buffer.from(to)]
  const answer = deltaAnswer({ bases: ['"base"'], mayGzip: false }, { etag: '"new"', body }, () => base, {
    otherwiseBytes: Infinity,
  })
  return { url: `${BASE}a`, status: 226, headers: answer!.headers, body: answer!.body }
}

function message(page: BatchPage, at: Instant, secret = SECRET): SentMessage {
  const closing = writeClosing({ sent: 1, unchanged: 0, rest: [], refused: [] }, BASE, at)
  const body = Buffer.concat([writeBatchPage(page, at), closing])
  const headers: HeaderList = [
    ['Content-Type', WARC_TYPE],
    ['X-Hub-Signature', hubSignature(secret, body)],
  ]
  return { method: 'POST', url: 'http://crawler.example/websub/x', headers, body }
}

// oxfmt-ignore
const cases: [sentence: string, held: string | undefined, sent: BatchPage, seconds: number, text: string | undefined, asked: number][] = [
  ['a page that is new is taken',                              undefined,  whole('other'),                    9,  'other',              0],
  ['one that is newer is taken',                               TEXT,       whole('other'),                    9,  'other',              0],
  ['one that is older is not',                                 TEXT,       whole('other'),                   -9,  TEXT,                 0],
  ['what is the same is left alone, however old',              TEXT,       whole(TEXT),                      -9,  TEXT,                 0],
  ['where nobody can tell, the site is asked',                 TEXT,       whole('other'),                    0,  'as the site has it', 1],
  ['a page that is gone is dropped',                           TEXT,       whole('', 410),                    9,  undefined,            0],
  ['but not by an old message',                                TEXT,       whole('', 410),                   -9,  TEXT,                 0],
  ['a difference is put on what it is from',                   TEXT,       difference(TEXT, `${TEXT}!`),      9,  `${TEXT}!`,           0],
  ['a difference from something else is asked for',            'other',    difference(TEXT, `${TEXT}!`),      9,  'as the site has it', 1],
  ['and one from what was never held',                         undefined,  difference(TEXT, `${TEXT}!`),      9,  'as the site has it', 1],
]
for (const [sentence, held, sent, seconds, text, asked] of cases) {
  test(`sent: ${sentence}`, async () => {
    const { site, copy, intake } = opened(held)
    assert.equal(await intake.receive(message(sent, AT + seconds * 1_000)), 202)
    const page = copy.pages.get('/a')
    assert.equal(page && Buffer.from(page.body).toString(), text)
    assert.equal(page?.digest, text && hash('sha256', text))
    assert.equal(site.asked.length, asked)
  })
}

test('what somebody else signed, what is cut, and pages of others are refused', async () => {
  const { intake } = opened(TEXT)
  await assert.rejects(intake.receive(message(whole('x'), AT, 'guessed')), /its HMAC is forged/)
  const foreign = { ...whole('x'), url: 'https://www.example.net/a' }
  await assert.rejects(intake.receive(message(foreign, AT)), /is not a page of https:\/\/www\.example\.org/)
  const body = writeBatchPage(whole('x'), AT)
  const headers: HeaderList = [
    ['Content-Type', WARC_TYPE],
    ['X-Hub-Signature', hubSignature(SECRET, body)],
  ]
  const cut = { method: 'POST', url: BASE, headers, body }
  await assert.rejects(opened(TEXT).intake.receive(cut), /cannot be read: it broke off/)
})

const ring = newKeyRing(new Uint8Array(32).fill(1), 0)

function signed(body: Uint8Array, at: Instant, keys = ring): SentMessage {
  const request = { method: 'POST', url: 'https://crawler.example/push' }
  const headers: HeaderList = [
    ['Content-Type', WARC_TYPE],
    ['Content-Digest', writeDigestField(body)],
  ]
  const sign = pushSigner({ ring: () => keys }, () => at)
  return { ...request, headers: [...headers, ...sign({ ...request, headers })], body }
}

test('a signature is believed when it is of the site, of this body, and of now', async () => {
  const { intake, site, copy } = opened(undefined, 'push')
  site.pages.set(KEY_DIRECTORY_PATH, writeKeySet(publishedKeys(ring, Date.now())))
  const { body } = message(whole('other'), AT)
  assert.equal(await intake.receive(signed(body, Date.now())), 202)
  assert.equal(Buffer.from(copy.pages.get('/a')!.body).toString(), 'other')
  const sent = signed(Buffer.concat([body, body]), Date.now())
  await assert.rejects(intake.receive({ ...sent, body }), /its body is not the one that was signed/)
  await assert.rejects(intake.receive(signed(body, Date.now() - 86_400_000)), /is refused/)
  await assert.rejects(intake.receive(signed(body, Date.now(), newKeyRing(new Uint8Array(32), 0))), /is refused/)
  await assert.rejects(intake.receive({ ...sent, headers: [] }), /carries no signature/)
})

const notice = (key: string): SentMessage => ({
  method: 'POST',
  url: 'https://crawler.example/indexnow',
  headers: [['Content-Type', 'application/json']],
  body: Buffer.from(writeIndexNow({ host: 'www.example.org', key, urls: [`${BASE}a`] })),
})

test('an IndexNow notice is believed when its key stands on the site', async () => {
  const { intake, site, copy } = opened(undefined, 'indexnow')
  site.pages.set(`/${KEY}.txt`, KEY)
  assert.equal(await intake.receive(notice(KEY)), 202)
  assert.equal(Buffer.from(copy.pages.get('/a')!.body).toString(), 'as the site has it')
  await assert.rejects(intake.receive(notice('another-key-123')), /the key file has to be there/)
  await assert.rejects(intake.receive({ ...notice(KEY), body: Buffer.from('{}') }), /./)
})
