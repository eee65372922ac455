/** A small crawled site with an index, for the tests of commands that search it. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crawl } from '@comity/crawler'
import { politeDefaults } from '@comity/frontier'

/** Long and varied enough that two pages of it are nearly the same, whatever else they say. */
const twins = Array.from({ length: 300 }, (_, i) => `twins share part${(i * i) % 97}`).join(' ')

const pages: Readonly<Record<string, string>> = {
  '/':
    '<title>Rivers of the north</title><h1>Rivers</h1><p>Salmon climb the rapids. <a href=/otter>river otters</a> ' +
    '<a href=/twin>twin</a> <a href=/evil>evil</a> <a href=/heron>heron</a>',
  '/otter': '<title>The otter</title><p>An otter swims in the river and devours salmon.',
  '/heron': '<title>The heron</title><p>A heron waits for salmon, on one leg.',
  '/twin': `<title>Twin</title><p>${twins} <a href=/twin-2>other</a>`,
  '/twin-2': `<title>Twin</title><p>${twins} `,
  // What a terminal would obey: a title that moves the cursor, text that turns the line around.
  '/evil': '<title>Evil \u001b[2J\u001b]0;owned\u0007 &#x9b;31m</title><p>wicked \u202e words \u001b[31m in red',
}

/** Crawls it into a folder and is gone again. */
export async function crawlSample(into: string, index = true): Promise<string> {
  const server = createServer((request, response) => {
    const body = pages[request.url ?? '']
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' }).end(body)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    const politeness = { ...politeDefaults, delayMs: 0, pagesPerConnection: 100 }
    const seeds = [`${origin}/`]
    await crawl({ into, options: { seeds, index, allowPrivate: true, privateDelayMs: 0, threads: 0, politeness } })
  } finally {
    server.closeAllConnections()
    server.close()
  }
  return origin
}
