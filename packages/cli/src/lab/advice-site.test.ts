import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { writeAccessLogLine } from '@comity/protocol/testing'
import { comityHere } from '../testing/spawned-comity.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-advice-site-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const at = (name: string): string => join(folder, name)

const BEGINS = Date.UTC(2026, 2, 1)
/** Every page every day, though nothing changes. */
const requests = Array.from({ length: 50 }, (_, n) => ({
  address: '66.249.66.1',
  at: BEGINS + Math.floor(n / 10) * 86_400_000 + (n % 10) * 60_000,
  method: 'GET',
  target: `/p${n % 10}.html`,
  protocol: 'HTTP/1.1',
  status: 200,
  bytes: 5_000 + (n % 10),
  agent: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
}))
writeFileSync(at('access.log'), requests.map((request) => `${writeAccessLogLine(request)}\n`).join(''))
mkdirSync(at('html'))
for (let page = 0; page < 10; page++) writeFileSync(at(`html/p${page}.html`), `<p>${`word${page} `.repeat(700)}</p>`)

const quick = ['--set', 'samplePages=10', '--set', 'sampleChanges=3']

test('a log alone gives words, bars and a report', async () => {
  const { code, stdout, stderr } = await comityHere([
    'lab',
    'advise-site',
    at('access.log'),
    '--into',
    at('report'),
    ...quick,
  ])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /50 requests in one file/)
  assert.match(stdout, /Googlebot +50 █+.* 80 %/)
  assert.match(stdout, /Little: +Only if modified .* saves/)
  assert.ok(existsSync(at('report/report.html')))
  assert.match(readFileSync(at('report/report.html'), 'utf8'), /By what there is to spend/)
})

test('with a document root and --json a program learns the same', async () => {
  const args = ['lab', 'advise-site', at('access.log'), '--docroot', at('html'), '--base', 'https://a.example/']
  const { code, stdout, stderr } = await comityHere([
    ...args,
    '--set',
    'viewUsd=0.1',
    '--into',
    at('json'),
    '--json',
    ...quick,
  ])
  assert.equal(code, 0, stderr)
  const told = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as {
    readonly measuredOn: string
    readonly settings: { readonly viewUsd: number }
    readonly accounts: {
      readonly crawlers: readonly { readonly name: string; readonly needless: { readonly count: number } }[]
    }
  }
  assert.match(told.measuredOn, /10 pages of the document root/)
  assert.equal(told.settings.viewUsd, 0.1)
  assert.deepEqual(
    told.accounts.crawlers.map(({ name, needless }) => [name, needless.count]),
    [['Googlebot', 40]],
  )
})

// oxfmt-ignore
const wrong: [args: string[], message: RegExp][] = [
  [['advise-site'],                                                /Name the access logs of the site/],
  [['advise-site', at('none.log')],                                /none\.log: It cannot be read/],
  [['advise-site', at('access.log'), '--docroot', at('html')],     /name it with --base/],
  [['advise-site', at('access.log'), '--set', 'viewUsd=0.0001'],   /raise viewUsd/],
  [['advise-site', at('access.log'), '--set', 'views=1'],          /there is no setting views/],
  [['advise-site', at('access.log'), '--set', 'viewUsd'],          /write NAME=VALUE/],
  [['advise-site', at('access.log'), '--base', 'example.org'],     /is no address of a site/],
  [['advice-site', at('access.log')],                              /Did you mean advise-site\?/],
  [['break-even', '--set', 'sites=1'],                             /--set sets "sites", which break-even does not have/],
]
test('wrong use is told what would work', async () => {
  for (const [args, message] of wrong) {
    const { code, stderr } = await comityHere(['lab', ...args])
    assert.match(stderr, message, args.join(' '))
    assert.notEqual(code, 0)
    assert.doesNotMatch(stderr, /should not have happened/)
  }
})
