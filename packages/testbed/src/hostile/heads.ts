/** Hostile heads: what can be wrong up to the empty line that ends a response head (RFC 9112 §4 and §5). */
import { page } from './case.ts'
import type { HostileCase } from './case.ts'
import { closing, drip, fineHtml, headOf, htmlType, sendForEver } from '../raw-response.ts'

const body = fineHtml('A fine page')
const ending = `Content-Type: text/html\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`
const many = (count: number, line: (n: number) => string): string =>
  Array.from({ length: count }, (_, n) => line(n)).join('')
const noise = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, n) => (n * 167 + (n >> 3) * 59 + 131) & 255)

export const headCases: readonly HostileCase[] = [
  page('endless-headers', 'sends header lines without end', 'headers-too-large', async (visit) => {
    await visit.send('HTTP/1.1 200 OK\r\n')
    await sendForEver(visit, 'X-More: and more and more and more\r\n'.repeat(200))
  }),
  page('endless-header-name', 'sends one header name without end', 'headers-too-large', async (visit) => {
    await visit.send('HTTP/1.1 200 OK\r\n')
    await sendForEver(visit, 'X'.repeat(8_192))
  }),
  page('endless-status-line', 'sends a reason phrase without end', 'headers-too-large', async (visit) => {
    await visit.send('HTTP/1.1 200 ')
    await sendForEver(visit, 'very '.repeat(2_000))
  }),
  page('ten-thousand-headers', 'sends 10,000 header lines, then a page', 'headers-too-large', async (visit) => {
    await visit.send(`HTTP/1.1 200 OK\r\n${many(10_000, (n) => `X-Header-${n}: ${n}\r\n`)}${ending}`)
  }),
  page('megabyte-header', 'sends one header of a megabyte', 'headers-too-large', async (visit) => {
    await visit.send(`HTTP/1.1 200 OK\r\nX-Large: ${'x'.repeat(1_000_000)}\r\n${ending}`)
  }),
  page('cookie-storm', 'sets 5,000 cookies of 200 bytes', 'headers-too-large', async (visit) => {
    await visit.send(`HTTP/1.1 200 OK\r\n${many(5_000, (n) => `Set-Cookie: c${n}=${'y'.repeat(200)}\r\n`)}${ending}`)
  }),
  page('small-cookie-storm', 'sets 50 cookies', 'ok', async (visit) => {
    await visit.send(`HTTP/1.1 200 OK\r\n${many(50, (n) => `Set-Cookie: c${n}=1; Path=/\r\n`)}${ending}`)
  }),
  page('dripping-headers', 'sends its headers one byte at a time', 'timeout-headers', async (visit) => {
    await drip(visit, `HTTP/1.1 200 OK\r\n${many(200, (n) => `X-${n}: slow\r\n`)}${ending}`)
  }),
  page('never-answers', 'reads the request and says nothing', 'timeout-headers', (visit) => visit.hang()),
  page('half-a-head', 'sends half of a head and then nothing', 'timeout-headers', async (visit) => {
    await visit.send('HTTP/1.1 200 OK\r\nContent-Ty')
    await visit.hang()
  }),
  page('closes-without-answer', 'reads the request and closes', 'connection-reset', () => undefined),
  page('closes-mid-head', 'closes in the middle of its headers', 'connection-reset', async (visit) => {
    await visit.send('HTTP/1.1 200 OK\r\nContent-Type: text/ht')
  }),
  page('resets-mid-head', 'resets the connection in the middle of its headers', 'connection-reset', async (visit) => {
    await visit.send('HTTP/1.1 200 OK\r\nContent-Type: text/ht')
    await visit.wait(20)
    visit.reset()
  }),
  page('endless-continue', 'sends 100 Continue without end', 'bad-response', async (visit) => {
    await sendForEver(visit, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100))
  }),
  page('endless-early-hints', 'sends 103 Early Hints without end', 'headers-too-large', async (visit) => {
    await sendForEver(visit, headOf('103 Early Hints', [['Link', '</style.css>; rel=preload']]).repeat(100))
  }),
  page('one-early-hint', 'sends one 103 and then a page', 'ok', async (visit) => {
    await visit.send(`${headOf('103 Early Hints')}HTTP/1.1 200 OK\r\n${ending}`)
  }),
  page('unasked-upgrade', 'switches protocols though nobody asked', 'bad-response', async (visit) => {
    await visit.send(
      `${headOf('101 Switching Protocols', [
        ['Upgrade', 'websocket'],
        ['Connection', 'Upgrade'],
      ])}\x81\x05hello`,
    )
  }),
  page(
    'http-0.9',
    'answers with a bare page, as in 1991',
    'bad-response',
    async (visit) => void (await visit.send(body)),
  ),
  page('http-2-preface', 'answers with HTTP/2 frames', 'bad-response', async (visit) => {
    await visit.send('\x00\x00\x06\x04\x00\x00\x00\x00\x00\x00\x03\x00\x00\x00\x64')
  }),
  page('http-2-status-line', 'claims to speak HTTP/2.0 in text', 'ok', async (visit) => {
    await visit.send(`HTTP/2.0 200 OK\r\n${ending}`)
  }),
  page('http-1.0', 'speaks HTTP/1.0 and ends the body by closing', 'ok', async (visit) => {
    await visit.send(`HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n${body}`)
  }),
  page('misspelt-version', 'writes HTTTP in its status line', 'bad-response', async (visit) => {
    await visit.send(`HTTTP/1.1 200 OK\r\n${ending}`)
  }),
  page('binary-noise', 'answers with noise', 'bad-response', async (visit) => void (await visit.send(noise(4_096)))),
  page('ssh-banner', 'greets as another protocol would', 'bad-response', async (visit) => {
    await visit.send('SSH-2.0-OpenSSH_9.9\r\n')
  }),
  page('no-reason-phrase', 'leaves the reason phrase out, which is allowed', 'ok', async (visit) => {
    await visit.send(`HTTP/1.1 200 \r\n${ending}`)
  }),
  page('nul-in-header', 'puts a NUL into a header value', 'bad-response', async (visit) => {
    await visit.send(`HTTP/1.1 200 OK\r\nX-Nul: a\0b\r\n${ending}`)
  }),
  // RFC 9112 §2.2: a recipient must treat a bare CR as invalid, or replace it by a space.
  page('bare-cr', 'puts a bare CR into a header value', 'bad-response', async (visit) => {
    await visit.send(`HTTP/1.1 200 OK\r\nX-Return: a\rb\r\n${ending}`)
  }),
  // The same section lets a recipient take a bare LF for a line end.
  page('bare-lf', 'ends its lines with LF alone', 'bad-response', async (visit) => {
    await visit.send(`HTTP/1.1 200 OK\n${ending.replaceAll('\r\n', '\n')}`)
  }),
  page('header-without-colon', 'sends a header line without a colon', 'bad-response', async (visit) => {
    await visit.send(`HTTP/1.1 200 OK\r\nThis is no header\r\n${ending}`)
  }),
  page('space-before-colon', 'puts a space between name and colon', 'bad-response', async (visit) => {
    await visit.send(`HTTP/1.1 200 OK\r\nX-Space : here\r\n${ending}`)
  }),
  // RFC 9112 §5.2: a user agent must replace folding by spaces, or may refuse.
  page('folded-header', 'folds a header over two lines', 'bad-response', async (visit) => {
    await visit.send(`HTTP/1.1 200 OK\r\nX-Folded: one\r\n  two\r\n${ending}`)
  }),
  page('latin-1-header', 'sends Latin-1 bytes in a header', 'ok', async (visit) => {
    await visit.send(`HTTP/1.1 200 OK\r\nX-Place: M\xfcnchen\r\n${ending}`)
  }),
  page('empty-header-name', 'sends a header without a name', 'bad-response', async (visit) => {
    await visit.send(`HTTP/1.1 200 OK\r\n: nameless\r\n${ending}`)
  }),
  page('crlf-first', 'sends empty lines before the status line', 'ok', async (visit) => {
    await visit.send(`\r\n\r\nHTTP/1.1 200 OK\r\n${ending}`)
  }),
  page('prototype-header', 'names its headers __proto__ and constructor', 'ok', async (visit) => {
    await visit.send(`HTTP/1.1 200 OK\r\n__proto__: x\r\nconstructor: y\r\nhasOwnProperty: z\r\n${ending}`)
  }),
  page('two-content-types', 'gives two content types', 'ok', async (visit) => {
    await visit.send(
      `${headOf('200 OK', [htmlType, ['Content-Type', 'image/png'], ['Content-Length', String(body.length)], closing])}${body}`,
    )
  }),
]
