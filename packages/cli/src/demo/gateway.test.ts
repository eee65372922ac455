import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { test } from 'node:test'
import { comity, comityHere, lastJson, temporaryFolder } from '../testing/spawned-comity.ts'

test(
  'what people read through the gateway of a demo is found, though nobody crawled it',
  { timeout: 240_000 },
  async () => {
    using folder = temporaryFolder()
    const into = folder.at('demo')
    let demo: ChildProcess | undefined
    const { promise: opened, resolve } = Promise.withResolvers<string>()
    const running = comity(['demo', '--port', '0', '--into', into], {
      onStart: (child) => {
        demo = child
        let said = ''
        child.stdout?.on('data', (text: string) => {
          said += text
          const [, url] = /(http:\/\/127\.0\.0\.1:\d+\/)freshness/.exec(said) ?? []
          if (url !== undefined) resolve(url)
        })
        child.on('close', () => resolve(''))
      },
    })
    const url = await opened
    const found = async (): Promise<readonly { readonly url: string }[]> => {
      const answer = await fetch(`${url}api/v1/search?q=site:127.0.1.101`)
      return ((await answer.json()) as { results: { url: string }[] }).results
    }
    const until = Date.now() + 100_000
    while ((await found()).length === 0 && Date.now() < until) await new Promise((go) => setTimeout(go, 500))
    const [page] = await found()
    assert.match(page?.url ?? '', /^http:\/\/127\.0\.1\.101:\d+\//)
    const crawled = await fetch(`${url}api/v1/search?q=site:127.0.1.100`)
    assert.equal(((await crawled.json()) as { matches: number }).matches, 0, 'nobody crawls what is behind it')
    const front = await (await fetch(url)).text()
    assert.match(front, /[1-9]\d* pages were read through it so far/)
    demo?.kill('SIGINT')
    await running
    const story = lastJson(await comityHere(['inspect', into, page!.url, '--json']))
    assert.match(JSON.stringify(story), /gateway/)
  },
)
