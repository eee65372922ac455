/** Exchange sample: one request and its answer as bytes, of any of the ways in which HTTP/1 says them. */

export interface SampleExchange {
  readonly url: string
  readonly request: { readonly head: Uint8Array; readonly body: Uint8Array }
  /** The client waits for `100 Continue` before it sends the body. */
  readonly expectsInterim: boolean
  readonly answer: Uint8Array
  /** What is answered, its transfer coding off. */
  readonly body: Uint8Array
  readonly status: number
}

const NOTHING = new Uint8Array(0)

/** `isLast`: the answer may end with the connection. `longest`: of bodies. */
export function exchangeOf(path: string, isLast: boolean, longest: number, random: () => number): SampleExchange {
  const url = `http://site.example${path}`
  const kind = random()
  const method = kind < 0.7 ? 'GET' : kind < 0.8 ? 'HEAD' : kind < 0.95 ? 'POST' : 'OPTIONS'
  const { request, expectsInterim } = requestOf(method, path, longest, random)
  const status = method !== 'GET' || random() < 0.8 ? 200 : [204, 304, 404, 500][Math.floor(random() * 4)]!
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  const said = bodyOf(url, longest, random)
  const interim = random() < 0.05 ? 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n' : ''
  const framed = frame(said, status, isLast, random)
  const head = Buffer.from(`${interim}${framed.line} ${status} Said\r\nX-For: ${path}\r\n${framed.fields}\r\n`)
  const answer = hasBody ? Buffer.concat([head, framed.body]) : head
  return { url, request, expectsInterim, answer, body: hasBody ? said : NOTHING, status }
}

function requestOf(
  method: string,
  path: string,
  longest: number,
  random: () => number,
): { request: SampleExchange['request']; expectsInterim: boolean } {
  const filler = random() < 0.5 ? '' : `X-Filler: ${'x'.repeat(Math.floor(random() * 400))}\r\n`
  const common = `Host: site.example\r\nUser-Agent: Sample/1.0 (made up; knows the truth)\r\nAccept: text/html, */*\r\n`
  const begin = `${method} ${path} HTTP/1.1\r\n${common}${filler}`
  if (method !== 'POST') return { request: { head: Buffer.from(`${begin}\r\n`), body: NOTHING }, expectsInterim: false }
  const said = bodyOf(`asked at ${path}`, longest, random)
  const expectsInterim = random() < 0.3
  const expect = expectsInterim ? 'Expect: 100-continue\r\n' : ''
  const framed = frame(said, 200, false, random)
  return { request: { head: Buffer.from(`${begin}${expect}${framed.fields}\r\n`), body: framed.body }, expectsInterim }
}

/** Text, or bytes, or what looks like answers and requests itself. */
function bodyOf(name: string, longest: number, random: () => number): Uint8Array {
  const length = Math.floor(random() ** 3 * longest)
  const mark = `${name} ${Math.floor(random() * 1e9)} `
  if (random() < 0.7) return Buffer.alloc(length + mark.length, mark)
  const lies = 'HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\nnot the page'
  const asks = 'GET /not/asked HTTP/1.1\r\nHost: site.example\r\n\r\n'
  const text = random() < 0.5 ? `${mark}${lies}` : `${mark}${lies}${asks}`
  const body = Buffer.alloc(Math.max(length, text.length), text)
  // One of the lies stands at the very end.
  return random() < 0.5 ? body : Buffer.concat([body, Buffer.from(random() < 0.5 ? lies : asks)])
}

function frame(
  body: Uint8Array,
  status: number,
  isLast: boolean,
  random: () => number,
): { line: string; fields: string; body: Uint8Array } {
  const way = random()
  if (isLast && way < 0.3 && status === 200) {
    return { line: random() < 0.5 ? 'HTTP/1.0' : 'HTTP/1.1', fields: 'Connection: close\r\n', body }
  }
  if (way < 0.65) return { line: 'HTTP/1.1', fields: `Content-Length: ${body.length}\r\n`, body }
  const pieces: Uint8Array[] = []
  for (let at = 0; at < body.length;) {
    const piece = body.subarray(at, at + 1 + Math.floor(random() * 4_000))
    const extension = random() < 0.1 ? ';name=value' : ''
    pieces.push(Buffer.from(`${piece.length.toString(16)}${extension}\r\n`), piece, Buffer.from('\r\n'))
    at += piece.length
  }
  const trailer = random() < 0.2 ? 'X-Trailer: at the end\r\n' : ''
  pieces.push(Buffer.from(`0\r\n${trailer}\r\n`))
  return { line: 'HTTP/1.1', fields: 'Transfer-Encoding: chunked\r\n', body: Buffer.concat(pieces) }
}
