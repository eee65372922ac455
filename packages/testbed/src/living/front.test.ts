import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLivingWeb } from './web.ts'
import type { LivingWeb } from './web.ts'

const helping = { cooperates: true, validators: 'none', gzip: false, latencyMs: 0, changeEveryMs: 10_000 } as const

async function helpingWeb(clock: () => number): Promise<LivingWeb> {
  return await createLivingWeb({ seed: 5, sites: [{ ...helping, pages: 20 }], clock, epoch: clock() })
}

interface Told {
  readonly token: string
  readonly paths: readonly string[]
}

async function changesOf(web: LivingWeb, token?: string): Promise<Told> {
  const response = await fetch(`${web.home}.well-known/comity/changes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(token === undefined ? {} : { since: token }),
  })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const end = lines.find((line) => 'token' in line)
  return { token: String(end?.['token']), paths: lines.flatMap((line) => ('url' in line ? [String(line['url'])] : [])) }
}

test('a site that helps tells of every page, and then of just those that changed', async () => {
  let now = Date.UTC(2026, 0, 1)
  await using web = await helpingWeb(() => now)
  const first = await changesOf(web)
  assert.ok(first.paths.length >= 20, `${first.paths.length} pages`)
  assert.deepEqual((await changesOf(web, first.token)).paths, [])
  now += 15_000
  const second = await changesOf(web, first.token)
  const changed = [...web.reachable().urls].filter((url) => web.version(url, now)! > 0)
  assert.ok(second.paths.length > 0)
  for (const url of changed)
    assert.ok(
      second.paths.some((path) => url.endsWith(path)),
      url,
    )
})

test('its pages have validators that hold until they change, and are the pages of the plan', async () => {
  let now = Date.UTC(2026, 0, 1)
  await using web = await helpingWeb(() => now)
  const first = await fetch(web.home)
  const etag = first.headers.get('etag')!
  const text = await first.text()
  assert.match(text, /<title>/)
  assert.equal((await fetch(web.home, { headers: { 'if-none-match': etag } })).status, 304)
  now += 20_000
  const later = await fetch(web.home, { headers: { 'if-none-match': etag } })
  assert.equal(later.status, 200)
  assert.notEqual(await later.text(), text)
})

test('robots.txt is the site’s own, with what it offers; and all of it is counted', async () => {
  const now = Date.UTC(2026, 0, 1)
  await using web = await helpingWeb(() => now)
  const robots = await (await fetch(`${web.home}robots.txt`)).text()
  assert.match(robots, /^User-agent: \*$/m)
  assert.match(robots, /^Sitemap: /m)
  await fetch(web.home)
  const { requests, bytes } = web.log.traffic(web.sites[0]!.spec.name)
  assert.equal(requests, 2)
  assert.ok(bytes > robots.length)
  assert.deepEqual(web.log.traffic('nobody'), { requests: 0, bytes: 0 })
})
