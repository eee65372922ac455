/**
 * Chromium oracle: what a real Chromium makes of the bytes of an answer, over loopback. A server of ours sends exactly those bytes and
 * ends the connection; a page asks for them by `fetch` and reads what it gets, to the byte.
 *
 * All hosts lead to it (`--host-resolver-rules`), so that addresses have the ports that they need, whatever port is free.
 */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../pages/browser.ts'
import type { How, OddAnswer } from '../../packages/gateway/src/testing/odd-answer.ts'

/**
 * `broken`: it began to show it, and then failed; `refused`: there was nothing to show; `redirected`: it went on to another
 * address.
 */
export interface ChromiumVerdict {
  readonly outcome: 'shown' | 'broken' | 'refused' | 'redirected'
  readonly status: number
  /** Its name for what went wrong, without `net::`. */
  readonly error: string
  /** What a page got of it. */
  readonly body: Buffer
}

export type Answer = Pick<OddAnswer, 'bytes' | 'how'>

export class ChromiumOracle implements AsyncDisposable {
  readonly version: string
  readonly #browser: Browser
  readonly #servers: AnswerServers
  readonly #page: Page
  readonly #failures: Failures

  private constructor(browser: Browser, servers: AnswerServers, page: Page, failures: Failures) {
    this.version = browser.version()
    this.#browser = browser
    this.#servers = servers
    this.#page = page
    this.#failures = failures
  }

  /** `path`: of the browser. */
  static async open(path: string): Promise<ChromiumOracle> {
    const servers = await AnswerServers.listen()
    // The page reads what other hosts answer, whatever they say of it.
    const browser = await launchBrowser(path, [`--host-resolver-rules=${servers.rules}`, '--disable-web-security'])
    const page = await browser.newPage()
    const failures = await Failures.of(page)
    await page.goto('http://blank.example/')
    return new ChromiumOracle(browser, servers, page, failures)
  }

  async ask(answers: readonly Answer[]): Promise<ChromiumVerdict[]> {
    const urls = answers.map((answer) => this.#servers.serve(answer))
    // Whoever answers before he is asked does not know what for.
    const isAlone = answers.map(({ how }) => how.has('early') || how.has('alone'))
    const got = new Map<string, Fetched>()
    for (const each of await fetched(
      this.#page,
      urls.filter((_, at) => !isAlone[at]),
    ))
      got.set(each.url, each)
    const verdicts: ChromiumVerdict[] = []
    for (const [at, answer] of answers.entries()) {
      const url = urls[at]!
      if (isAlone[at]) verdicts.push(await this.#askAlone(url, answer))
      else verdicts.push(await this.#verdictOf(got.get(url)!))
      // Another answer took it with it.
      if (!isAlone[at] && verdicts[at]!.error === 'ERR_ABORTED') verdicts[at] = await this.#askAlone(url, answer)
    }
    return verdicts
  }

  async #askAlone(url: string, answer: Answer): Promise<ChromiumVerdict> {
    this.#servers.early = answer
    this.#failures.forget(url)
    const [got] = await fetched(this.#page, [url])
    return await this.#verdictOf(got!)
  }

  async #verdictOf({ status, isRedirected, failed, url, body }: Fetched): Promise<ChromiumVerdict> {
    const error = failed === 'no' ? '' : await this.#failures.of(url)
    if (isRedirected) return { outcome: 'redirected', status: 0, error: '', body: Buffer.alloc(0) }
    const outcome = failed === 'no' ? 'shown' : failed === 'later' ? 'broken' : 'refused'
    return { outcome, status, error, body: Buffer.from(body, 'latin1') }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close()
    await this.#servers[Symbol.asyncDispose]()
  }
}

/** Six connections to each host at a time. */
const HOSTS = 20
const BLANK = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
/** The end comes when what is before it has been read: an end that is too early takes what waits with it. */
const END_MS = 100

/** A server that answers, and one that does so before it is asked. */
class AnswerServers implements AsyncDisposable {
  early: Answer | undefined
  readonly #answers: Answer[] = []
  readonly #sockets = new Set<Socket>()
  readonly #asked: Server = this.#listener((socket) => this.#hear(socket))
  readonly #hasty: Server = this.#listener((socket) => {
    socket.resume()
    if (this.early !== undefined) say(socket, this.early)
  })

  static async listen(): Promise<AnswerServers> {
    const servers = new AnswerServers()
    for (const server of [servers.#asked, servers.#hasty]) {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
    }
    return servers
  }

  get rules(): string {
    return [`MAP *.early.example 127.0.0.1:${portOf(this.#hasty)}`, `MAP * 127.0.0.1:${portOf(this.#asked)}`].join(',')
  }

  /** Its address. */
  serve(answer: Answer): string {
    const { how } = answer
    const number = this.#answers.push(answer) - 1
    const place = how.has('br') ? 'localhost' : how.has('early') ? 'early.example' : 'example'
    return `http://${hostOf(number, how)}.${place}${how.has('port') ? ':8080' : ''}/${number}`
  }

  #hear(socket: Socket): void {
    let heard = ''
    const hear = (bytes: Buffer): void => {
      heard += bytes.toString('latin1')
      if (!heard.includes('\r\n\r\n')) return
      const number = /^GET \/(\d+) /.exec(heard)?.[1]
      const answer = number === undefined ? undefined : this.#answers[Number(number)]
      // One answer on each connection: what Chromium asks behind it, it asks again elsewhere.
      socket.off('data', hear).resume()
      if (answer === undefined) socket.end(BLANK)
      else say(socket, answer)
    }
    socket.on('data', hear)
  }

  #listener(met: (socket: Socket) => void): Server {
    return createServer((socket) => {
      this.#sockets.add(socket)
      socket.setNoDelay().on('close', () => this.#sockets.delete(socket))
      // Chromium hangs up as it likes.
      socket.on('error', () => undefined)
      met(socket)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all([this.#asked, this.#hasty].map((server) => new Promise((resolve) => server.close(resolve))))
  }
}

/** Each early one has a host of its own: a connection that was opened for another would have its answer. */
const hostOf = (number: number, how: ReadonlySet<How>): string => `odd${how.has('early') ? number : number % HOSTS}`

const portOf = (server: Server): number => (server.address() as AddressInfo).port

function say(socket: Socket, { bytes, how }: Answer): void {
  socket.write(bytes)
  setTimeout(() => (how.has('reset') ? socket.resetAndDestroy() : socket.end()), END_MS)
}

/** What failed, by its address: it is told on another way than the page is. */
class Failures {
  readonly #page: Page
  readonly #errors = new Map<string, string>()

  private constructor(page: Page) {
    this.#page = page
  }

  static async of(page: Page): Promise<Failures> {
    const failures = new Failures(page)
    const session = await page.context().newCDPSession(page)
    const urls = new Map<string, string>()
    session.on('Network.requestWillBeSent', ({ requestId, request }) => urls.set(requestId, request.url))
    session.on('Network.loadingFailed', ({ requestId, errorText }) => {
      failures.#errors.set(urls.get(requestId) ?? '', errorText.replace('net::', ''))
    })
    await session.send('Network.enable')
    return failures
  }

  forget(url: string): void {
    this.#errors.delete(url)
  }

  async of(url: string): Promise<string> {
    for (let time = 0; time < 200 && !this.#errors.has(url); time++) await this.#page.evaluate('0')
    return this.#errors.get(url) ?? ''
  }
}

interface Fetched {
  readonly url: string
  readonly status: number
  readonly isRedirected: boolean
  readonly body: string
  readonly failed: 'no' | 'at once' | 'later'
}

const fetched = async (page: Page, urls: readonly string[]): Promise<Fetched[]> =>
  await Promise.all(urls.map((url) => page.evaluate(fetchedInPage, url)))

/** In the page: it knows nothing of what stands around it here. */
async function fetchedInPage(url: string): Promise<Fetched> {
  let response: Response
  try {
    response = await fetch(url, { cache: 'no-store' })
  } catch {
    return { url, status: 0, isRedirected: false, body: '', failed: 'at once' }
  }
  const { status, redirected: isRedirected } = response
  let body = ''
  try {
    const reader = response.body?.getReader()
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
      for (const byte of next.value) body += String.fromCharCode(byte)
  } catch {
    return { url, status, isRedirected, body, failed: 'later' }
  }
  return { url, status, isRedirected, body, failed: 'no' }
}
