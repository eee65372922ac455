/**
 * What comes of answers that servers really send, and should not, beside what undici makes of them: it is what browsers and Node agree on most,
 * and what archives were made with until now. Where we differ, the row says so; nothing that is a page there may be none here, but by a row.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { amount } from '@comity/protocol/testing'
import fc from 'fast-check'
import { Client } from 'undici'
import { ByteBudget } from './byte-budget.ts'
import { Connection } from './connection.ts'

const ADDRESS = '127.0.60.3'
let [bytes, isEnded] = ['', true]
const server = createServer((socket) => {
  socket.on('error', () => undefined)
  socket.once('data', () => {
    socket.write(bytes, 'latin1')
    if (isEnded) socket.end()
  })
})
await new Promise<void>((resolve) => server.listen(0, ADDRESS, resolve))
const origin = `http://${ADDRESS}:${(server.address() as AddressInfo).port}`
after(() => server.close())

const limits = {
  connectTimeoutMs: 2_000,
  headersTimeoutMs: 2_000,
  bodyTimeoutMs: 2_000,
  totalTimeoutMs: 4_000,
  maxBodyBytes: 100_000,
  maxHeaderBytes: 65_536,
}
const budget = new ByteBudget(Infinity)

/** `200 abc`, `cut 200 abc`, or `none`: no answer can be made of it. */
async function ours(method: 'GET' | 'POST' = 'GET'): Promise<string> {
  const connection = new Connection({ origin, address: ADDRESS, limits, budget, now: Date.now, insecureTls: false })
  const exchange = await connection.request('/', {}, { method })
  await connection.close()
  if (exchange.kind === 'failed') return 'none'
  const body = Buffer.from(exchange.body).toString('latin1')
  // Nonsense where the body should begin is no answer, and so is told apart by whoever asks.
  return `${exchange.truncated === undefined ? '' : 'cut '}${exchange.head.status} ${body}`
}

async function undicis(): Promise<string> {
  const client = new Client(origin, { pipelining: 1, maxHeaderSize: limits.maxHeaderBytes })
  const came = await new Promise<string>((resolve) => {
    let [status, body] = [0, '']
    client.dispatch(
      { path: '/', method: 'GET' },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_, code) => void (status = code >= 200 ? code : status),
        onResponseData: (_, piece) => void (body += piece.toString('latin1')),
        onResponseEnd: () => resolve(`${status} ${body}`),
        onResponseError: () => resolve(status === 0 || body === '' ? 'none' : `cut ${status} ${body}`),
      },
    )
  })
  await client.destroy()
  return came
}

const ok = 'HTTP/1.1 200 OK\r\n'
const abc = 'content-length: 3\r\n\r\nabc'
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`
const chunks = '3\r\nabc\r\n0\r\n\r\n'

/** `undici`: where it makes something else of it, and `why` we do. */
// oxfmt-ignore
const odd: [sentence: string, sent: string, came: string, undici?: string, why?: string][] = [
  ['a phrase that is missing',              `HTTP/1.1 200\r\n${abc}`,                 '200 abc'],
  ['a phrase of a blank',                   `HTTP/1.1 200 \r\n${abc}`,                '200 abc'],
  ['a phrase in Latin-1 or UTF-8',          `HTTP/1.1 200 \xe9\xe2\x80\x99\x85\r\n${abc}`, '200 abc'],
  ['a phrase with control characters',      `HTTP/1.1 200 I\x19m\0\x7f\r\n${abc}`,    '200 abc'],
  ['a phrase that is a status line',        `HTTP/1.1 200 HTTP/1.1 200 OK\r\n${abc}`, '200 abc'],
  ['a carriage return in the phrase',       `HTTP/1.1 200 O\rK\r\n${abc}`,            'none'],
  ['carriage returns behind the status',    `HTTP/1.1 200 OK\r\r${abc}`,              'none', '200 abc', 'RFC 9112 §2.2 has no line that ends so'],
  ['a tab before the phrase',               `HTTP/1.1 200\tOK\r\n${abc}`,             'none'],
  ['no blank before the phrase',            `HTTP/1.1 200OK\r\n${abc}`,               'none'],
  ['two blanks before the status',          `HTTP/1.1  200 OK\r\n${abc}`,             'none'],
  ['a status of two digits',                `HTTP/1.1 20 OK\r\n${abc}`,               'none'],
  ['a status of four digits',               `HTTP/1.1 2000 OK\r\n${abc}`,             'none'],
  ['a status that begins with 0',           `HTTP/1.1 099 OK\r\n${abc}`,              'none'],
  ['a status that nobody knows',            `HTTP/1.1 999 No\r\n${abc}`,              '999 abc'],
  ['HTTP/1.0',                              `HTTP/1.0 200 OK\r\n${abc}`,              '200 abc'],
  ['HTTP/1.0 until the end',                'HTTP/1.0 200 OK\r\n\r\nabc',             '200 abc'],
  ['HTTP/1.0 in chunks',                    chunked.replace('1.1', '1.0') + chunks,   '200 abc'],
  ['HTTP/0.9 with a head',                  `HTTP/0.9 200 OK\r\n${abc}`,              '200 abc'],
  ['HTTP/0.9',                              '<html>abc</html>',                       'none'],
  ['HTTP/2.0 as text',                      `HTTP/2.0 200 OK\r\n${abc}`,              '200 abc'],
  ['HTTP/1.2',                              `HTTP/1.2 200 OK\r\n${abc}`,              'none'],
  ['a version without a minor one',         `HTTP/2 200 OK\r\n${abc}`,                'none'],
  ['http in small letters',                 `http/1.1 200 OK\r\n${abc}`,              'none'],
  ['Shoutcast',                             `ICY 200 OK\r\n${abc}`,                   'none'],
  ['another protocol',                      `RTSP/1.0 200 OK\r\n${abc}`,              'none', '200 abc', 'it is not HTTP, and neither curl nor browsers take it'],
  ['empty lines first',                     `\r\n\n${ok}${abc}`,                      '200 abc'],
  ['a blank first',                         ` ${ok}${abc}`,                           'none'],
  ['a byte order mark first',               `\xef\xbb\xbf${ok}${abc}`,                'none'],
  ['line feeds alone',                      (ok + abc).replaceAll('\r', ''),          'none'],
  ['a line feed alone behind the status',   `HTTP/1.1 200 OK\n${abc}`,                'none'],
  ['a line feed alone behind a field',      `${ok}a: b\n${abc}`,                      'none'],
  ['a line feed alone behind the last one', `${ok}content-length: 3\n\r\nabc`,        'none'],
  ['a line feed alone at the end',          `${ok}content-length: 3\r\n\nabc`,        'none'],
  ['a carriage return in a value',          `${ok}a: b\rc\r\n${abc}`,                 'none'],
  ['two carriage returns',                  `${ok}a: b\r\r\n${abc}`,                  'none'],
  ['a zero byte in a value',                `${ok}a: b\0\r\n${abc}`,                  'none'],
  ['Latin-1 in a value',                    `${ok}a: \xff\r\n${abc}`,                 '200 abc'],
  ['a folded field',                        `${ok}a: b\r\n c\r\n${abc}`,              'none'],
  ['a folded length',                       `${ok}content-length:\r\n 3\r\n\r\nabc`,  'none'],
  ['a blank before a colon',                `${ok}a : b\r\n${abc}`,                   'none'],
  ['a blank before the colon of a length',  `${ok}content-length : 3\r\n\r\nabc`,     'none'],
  ['no colon',                              `${ok}nonsense\r\n${abc}`,                'none'],
  ['no name',                               `${ok}: b\r\n${abc}`,                     'none'],
  ['a name that is none',                   `${ok}a(b): c\r\n${abc}`,                 'none'],
  ['no value',                              `${ok}a:\r\n${abc}`,                      '200 abc'],
  ['the same length twice',                 `${ok}content-length: 3\r\n${abc}`,       'none'],
  ['two lengths',                           `${ok}content-length: 2\r\n${abc}`,       'none'],
  ['a list of lengths',                     `${ok}content-length: 3, 3\r\n\r\nabc`,   'none'],
  ['a length with words',                   `${ok}content-length: 3 b\r\n\r\nabc`,    'none'],
  ['a length with a sign',                  `${ok}content-length: +3\r\n\r\nabc`,     'none'],
  ['an empty length',                       `${ok}content-length:\r\n\r\nabc`,        'none'],
  ['zeros before a length',                 `${ok}content-length: ${'0'.repeat(20)}3\r\n\r\nabc`, '200 abc'],
  ['a length beyond all disks',             `${ok}content-length: ${'9'.repeat(17)}\r\n\r\nabc`,  'cut 200 abc'],
  ['a length beyond 64 bits',               `${ok}content-length: ${'9'.repeat(20)}\r\n\r\nabc`,  'none'],
  ['more than was promised',                `${ok}content-length: 2\r\n\r\nabc`,      '200 ab'],
  ['less than was promised',                `${ok}content-length: 4\r\n\r\nabc`,      'cut 200 abc'],
  ['no length',                             `${ok}\r\nabc`,                           '200 abc'],
  ['no length, on a connection to be kept', `${ok}connection: keep-alive\r\n\r\nabc`, '200 abc'],
  ['a length and chunks',                   `${ok}content-length: 3\r\ntransfer-encoding: chunked\r\n\r\n${chunks}`, 'none'],
  ['a length and another coding',           `${ok}transfer-encoding: identity\r\n${abc}`, 'none'],
  ['a length and no coding',                `${ok}transfer-encoding:\r\n${abc}`,      'none', '200 abc', 'two readers could take it for two things (RFC 9112 §6.1)'],
  ['a coding that nobody knows',            `${ok}transfer-encoding: rot13\r\n\r\nabc`, '200 abc'],
  ['chunks named twice',                    `${ok}transfer-encoding: chunked\r\ntransfer-encoding: Chunked\r\n\r\n${chunks}`, '200 abc'],
  ['a blank behind the coding',             `${ok}transfer-encoding: chunked \t\r\n\r\n${chunks}`, '200 abc', `200 ${chunks}`, 'undici sees no chunks'],
  ['an extension of a chunk',               chunked + chunks.replace('3', '3;a="b"'), '200 abc'],
  ['a long extension of a chunk',           chunked + chunks.replace('3', `3;${'a'.repeat(9_000)}`), '200 abc'],
  ['blanks around an extension',            chunked + chunks.replace('3', '3 ; a = b'), '200 abc', 'none', 'RFC 9112 §7.1.1 allows them'],
  ['zeros before the size of a chunk',      chunked + chunks.replace('3', `${'0'.repeat(30)}3`), '200 abc'],
  ['blanks behind the size of a chunk',     chunked + chunks.replace('3', '3  '),     'none'],
  ['a chunk with a line feed alone',        chunked + chunks.replace('3\r', '3'),     'none'],
  ['a chunk without its line end',          chunked + chunks.replace('c\r\n', 'c'),   'cut 200 abc'],
  ['a page where chunks were promised',     `${chunked}<html>abc</html>`,             'none'],
  ['the end before the last chunk',         `${chunked}3\r\nabc\r\n`,                 'cut 200 abc'],
  ['the end before the last line end',      chunked + chunks.slice(0, -2),            'cut 200 abc'],
  ['a trailer',                             `${chunked}${chunks.slice(0, -2)}a: b\r\n\r\n`, '200 abc'],
  ['a trailer with a coding',               `${chunked}${chunks.slice(0, -2)}transfer-encoding: x\r\n\r\n`, '200 abc'],
  ['a trailer with a length',               `${chunked}${chunks.slice(0, -2)}content-length: 3\r\n\r\n`, 'cut 200 abc'],
  ['a trailer that is none',                `${chunked}${chunks.slice(0, -2)}nonsense\r\n\r\n`, 'cut 200 abc'],
  ['hints before the answer',               `HTTP/1.1 103 Hints\r\nlink: x\r\n\r\n${ok}${abc}`, '200 abc'],
  ['hints with a length',                   `HTTP/1.1 103 Hints\r\ncontent-length: 3\r\n\r\n${ok}${abc}`, '200 abc'],
  ['an answer before it that nobody knows', `HTTP/1.1 199 ?\r\n\r\n${ok}${abc}`,      '200 abc'],
  ['100 Continue',                          `HTTP/1.1 100 Continue\r\n\r\n${ok}${abc}`, 'none'],
  ['101',                                   'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'none'],
  ['an upgrade that is only offered',       `${ok}upgrade: h2,h2c\r\nconnection: Upgrade, Keep-Alive\r\n${abc}`, '200 abc'],
  ['204 with a body',                       `HTTP/1.1 204 No\r\n${abc}`,              '204 '],
  ['304 with a length',                     `HTTP/1.1 304 No\r\n${abc}`,              '304 '],
  ['205 with a body',                       `HTTP/1.1 205 No\r\n${abc}`,              '205 abc'],
  ['a thousand fields',                     `${ok}${'a: b\r\n'.repeat(1_000)}${abc}`, '200 abc'],
  ['a field of a head\u2019s size',         `${ok}a: ${'b'.repeat(60_000)}\r\n${abc}`, '200 abc'],
  ['more than a head\u2019s size',          `${ok}a: ${'b'.repeat(70_000)}\r\n${abc}`, 'none'],
  ['half a head',                           `${ok}a: b`,                              'none'],
  ['nothing',                               '',                                       'none'],
]
for (const [sentence, sent, came, undici = came, why = ''] of odd) {
  test(`${sentence}: ${JSON.stringify(came)}${why === '' ? '' : `; ${why}`}`, { timeout: 10_000 }, async () => {
    bytes = sent
    isEnded = true
    assert.deepEqual({ ours: empty(await ours()), undici: await undicis() }, { ours: came, undici })
  })
}

/** A body of which nothing came makes no page: whether it was cut or never framed is one to the table. */
const empty = (came: string): string => (came.startsWith('cut ') && came.endsWith(' ') ? 'none' : came)

test('an answer that came before the request was sent is no answer, and one that came before its body was is', async () => {
  bytes = ok + abc
  isEnded = false
  assert.equal(await ours('POST'), '200 abc')
})

/** What differs by a row above, or is better than what undici has. */
const isByRow = (sent: string): boolean =>
  /RTSP|^HTTP\S* \d+[^\n]*\r[^\n]|transfer-encoding:[^\r]*[ \t]\r|transfer-encoding:[ \t,]*\r/i.test(sent)

const MARKS = [
  ' ',
  '\t',
  '\r\n',
  '\n',
  '\r',
  ':',
  ';',
  ',',
  '0',
  '1',
  '3',
  '9',
  'a',
  '\0',
  '\x19',
  '\xe9',
  '304',
  '204',
]
const FIELDS = ['content-length', 'transfer-encoding', 'chunked', 'connection: close\r\n', 'a: b\r\n', 'HTTP/1.1 ']
const piece = fc.constantFrom(...MARKS, ...FIELDS, abc, chunks, ok)
const begun = fc.constantFrom(...odd.map(([, sent]) => sent).filter((sent) => sent !== '' && sent.length < 400))
const change = fc.tuple(fc.nat(1_000_000), fc.nat(4), piece)

test('whatever is changed in them: what is a page to undici is the same page here', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(begun, fc.array(change, { minLength: 1, maxLength: 3 }), async (start, changes) => {
      bytes = start
      for (const [where, cut, more] of changes) {
        const at = where % (bytes.length + 1)
        bytes = bytes.slice(0, at) + more + bytes.slice(at + cut)
      }
      isEnded = true
      if (isByRow(bytes)) return
      const reference = await undicis()
      if (/^\d/.test(reference)) assert.equal(await ours(), reference)
    }),
    { numRuns: amount(300, 30_000) },
  )
})
