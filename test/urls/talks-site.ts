/** A site whose pages hang on a parameter that looks like a session id, and which has sessions as well; for tests of URL identity. */
import { createServer } from 'node:http'
import { portOf } from '@comity/testbed'

/** Two talks of one conference, by ids of MongoDB. */
export const TALKS = ['507f1f77bcf86cd799439011', '507f1f77bcf86cd799439012'] as const

const LINKS = [
  ...TALKS.map((id) => `/talk?session=${id}`),
  '/search?s=0123456789abcdef',
  '/search?s=fedcba9876543210',
  '/story?sid=0123456789abcdef0123456789abcdef',
  '/story?sid=0123456789abcdef0123456789abcde0',
  '/shop;jsessionid=1A?id=7',
  '/shop;jsessionid=2B?id=7',
  '/cart?PHPSESSID=a1&id=7',
  '/cart?id=7&PHPSESSID=b2',
  '/news?utm_source=mail',
  '/news',
]

export interface TalksSite extends AsyncDisposable {
  readonly origin: string
  /** Paths that were asked for, in alphabetical order, without robots.txt and sitemaps. */
  readonly asked: () => string[]
}

export async function openTalksSite(): Promise<TalksSite> {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    const isPage = !/^\/(?:robots\.txt|sitemap)/.test(url)
    if (isPage) asked.push(url)
    const links = url === '/' ? LINKS.map((href) => `<a href="${href}">${href}</a>`).join(' ') : ''
    // What it says hangs on the whole address, as a talk's page does on its id.
    response
      .writeHead(isPage ? 200 : 404, { 'content-type': 'text/html' })
      .end(`<title>${url}</title><p>This is ${url}. ${links}`)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${portOf(server)}`,
    asked: () => asked.toSorted(),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
