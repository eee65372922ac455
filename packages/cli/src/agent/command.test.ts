import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { readResult } from '@comity/agent'
import { agentCommand } from './command.ts'
import { comity, comityHere, lastJson, temporaryFolder } from '../testing/spawned-comity.ts'

const folder = temporaryFolder()
after(() => folder[Symbol.dispose]())
const at = (name: string): string => folder.at(name)
const examples = join(import.meta.dirname, '../../../../examples/agents')
const ENGINE = 'https://engine.example/keys'
const agent = async (...words: string[]): ReturnType<typeof comityHere> =>
  await comityHere([agentCommand.name, ...words])
/** Runs it, and fails when it does not work. */
const works = async (...words: string[]): ReturnType<typeof comity> => {
  const ended = await agent(...words)
  assert.equal(ended.code, 0, ended.stderr + ended.stdout)
  return ended
}

const page = (title: string, ...links: string[]): string =>
  `<!doctype html><html lang=en><title>${title}</title><h1>${title}</h1><p>All about ${title}.${links.map((to) => ` <a href="${to}">${to}</a>`).join('')}`
const files: Readonly<Record<string, string>> = {
  'index.html': page('Home', '/cats.html', '/dogs.html'),
  'cats.html': page('Cats', '/', '/dogs.html'),
  'dogs.html': page('Dogs', '/cats.html'),
  'secret/plan.html': page('Plan'),
  'robots.txt': 'User-agent: *\nDisallow: /secret/\n',
}
const docroot = at('www')
const write = (name: string, text: string): void => {
  mkdirSync(dirname(join(docroot, name)), { recursive: true })
  writeFileSync(join(docroot, name), text)
}
for (const [name, text] of Object.entries(files)) write(name, text)

const server = createServer(({ url = '/' }, answer) => {
  const text = files[url === '/' ? 'index.html' : url.slice(1)]
  answer.writeHead(text === undefined ? 404 : 200, {
    'content-type': url.endsWith('.txt') ? 'text/plain' : 'text/html',
  })
  answer.end(text ?? 'none')
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close())
const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`

const [bundle, store, keys, shown] = [at('change.agent'), at('agents'), at('keys.json'), at('public.json')]
await comityHere(['keys', 'new', keys])
writeFileSync(shown, (await comityHere(['keys', 'show', keys])).stdout)

/** A program that tells its version. */
const versioned = (version: string): string =>
  `export const manifest = { name: 'small', version: '${version}', about: 'Says that a page is there.', perPage: true, emits: ['meta'] }
   export function onPage(page, agent) { agent.emit({ kind: 'meta', url: page.url, version: '${version}' }) }`

const logLine = (path: string): string =>
  `192.0.2.1 - - [17/May/2015:10:05:03 +0000] "GET ${path} HTTP/1.1" 200 12 "-" "Mozilla/5.0 Firefox/140.0"\n`

test('from a program to an audited result', async () => {
  const built = await works('build', join(examples, 'visible-text-change.js'), '--engine', ENGINE, '--out', bundle)
  assert.match(built.stdout, /^visible-text-change 1\.0\.0 {2}Tells which pages/)
  assert.match(built.stdout, /works +page by page: can be audited by sample/)
  assert.match(built.stdout, /signed by +nobody yet/)

  const unsigned = await agent('install', bundle, '--agents', store)
  assert.deepEqual([unsigned.code, unsigned.stdout], [1, ''])
  assert.match(unsigned.stderr, /nobody has signed it/)
  assert.match((await works('sign', bundle, '--key', keys)).stdout, /change\.agent is signed by [\w-]{43}\./)
  const untrusted = await agent('install', bundle, '--agents', store)
  assert.equal(untrusted.code, 1)
  assert.match(
    untrusted.stderr,
    /none of its keys is trusted here \([\w-]{43}\)\. If you trust https:\/\/engine\.example/,
  )
  const installed = await works('install', bundle, '--agents', store, '--trust', shown)
  assert.match(installed.stderr, /is trusted for https:\/\/engine\.example\/keys from now on/)
  assert.match(installed.stdout, /visible-text-change 1\.0\.0 is installed/)

  const run = await works('run', docroot, '--base', base, '--agents', store)
  assert.match(run.stderr, /4 pages may be seen/)
  assert.match(run.stdout, /^visible-text-change 1\.0\.0: done\n {2}4 pages read .*8 records/)
  const result = join(store, 'results/visible-text-change-1.ndjson')
  const read = readResult(readFileSync(result, 'utf8'))
  assert.ok(read.kind === 'result')
  assert.ok(read.result.records.every(({ record }) => !record.url.includes('secret')))

  write('cats.html', files['cats.html']!.replace('<p>', '<p class="new">'))
  const again = lastJson(await works('run', docroot, '--base', base, '--agents', store, '--json'))
  const [{ use, outcome }] = again['runs'] as [{ use: { records: number }; outcome: string }]
  assert.deepEqual([outcome, use.records], ['done', 0])
  write('cats.html', files['cats.html']!)

  await comity(['crawl', base, '--into', at('crawl'), '--allow-private', '--delay', '0'])
  const honest = await works('audit', bundle, result, '--collection', at('crawl'))
  assert.match(honest.stdout, /^Agrees: 3 pages compared one by one, 0 were other pages then\.\n$/)
  const lie = at('lie.ndjson')
  writeFileSync(lie, readFileSync(result, 'utf8').replace(/"fingerprint":"..../, '"fingerprint":"0000'))
  const dishonest = await agent('audit', bundle, lie, '--collection', at('crawl'), '--seed', '7', '--json')
  assert.equal(dishonest.code, 1)
  const { kind, disagreeing, seed } = lastJson(dishonest)
  assert.deepEqual([kind, disagreeing, seed], ['differs', 1, 7])
  assert.match(
    (await works('list', '--agents', store)).stdout,
    /^visible-text-change {2}version 1\.0\.0[^]*2 good runs[^]*1 result to be sent/,
  )
})

test('versions stand beside each other, are taken back, and cannot come back', async () => {
  const source = at('small.js')
  const [one, two, own] = [at('one.agent'), at('two.agent'), at('own-agents')]
  for (const [file, version] of [
    [one, '1.0.0'],
    [two, '2.0.0'],
  ] as const) {
    writeFileSync(source, versioned(version))
    await works('build', source, '--engine', ENGINE, '--out', file)
    await works('sign', file, '--key', keys)
    await works('install', file, '--agents', own, '--trust', shown)
  }
  const versionRun = async (): Promise<unknown> => {
    const { runs } = lastJson(await works('run', docroot, '--base', base, '--agents', own, '--name', 'small', '--json'))
    return (runs as [{ version: string }])[0].version
  }
  assert.equal(await versionRun(), '2.0.0')
  assert.match((await works('rollback', 'small', '--agents', own)).stdout, /small runs as version 1\.0\.0 from now on/)
  assert.equal(await versionRun(), '1.0.0')
  await works('rollback', 'small', '--agents', own, '--to', '2.0.0')
  const { digest } = lastJson(await works('list', two, '--json'))
  const list = at('revoked.txt')
  await works('revoke', String(digest), '--key', keys, '--out', list, '--reason', 'reads too much')
  assert.match((await works('revoke', list, '--agents', own)).stdout, /1 new revocation; this concerns small\./)
  assert.equal(await versionRun(), '1.0.0')
  const back = await agent('install', two, '--agents', own)
  assert.deepEqual([back.code, /has revoked it \(reads too much\)/.test(back.stderr)], [1, true])
  const [{ keyId }] = lastJson(await works('list', '--agents', own, '--json'))['keys'] as [{ keyId: string }]
  await works('remove', keyId, '--agents', own)
  const idle = await agent('run', docroot, '--base', base, '--agents', own)
  assert.deepEqual([idle.code, /small is not run: version 1\.0\.0 was withdrawn: its key/.test(idle.stderr)], [1, true])
  await works('remove', 'small', '--agents', own)
  assert.match((await works('list', '--agents', own)).stdout, /No agent is installed/)
})

test('a bundle is tried without being installed, and what goes wrong is named', async () => {
  const source = at('loop.js')
  writeFileSync(
    source,
    `export const manifest = { name: 'loop', version: '1.0.0', about: 'Does not end.', perPage: true, emits: ['meta'] }
     export function onPage(page, agent) { agent.note('before ' + page.url); for (;;) Date.now }`,
  )
  const built = await works('build', source, '--engine', ENGINE, '--out', at('loop.agent'))
  assert.match(built.stderr, /Not in a sandbox, though it names them: Date\./)
  const run = await agent('run', docroot, '--base', base, '--bundle', at('loop.agent'), '--cpu', '300ms')
  assert.deepEqual([run.code, run.stdout], [1, ''])
  assert.match(run.stderr, /loop 1\.0\.0: threw: it threw an error \(ReferenceError: 'Date' is not defined/)
  writeFileSync(source, readFileSync(source, 'utf8').replace('Date.now', '0'))
  await works('build', source, '--engine', ENGINE, '--out', at('loop.agent'))
  const slow = await agent('run', docroot, '--base', base, '--bundle', at('loop.agent'), '--cpu', '300ms', '--json')
  const [{ outcome }] = lastJson(slow)['runs'] as [{ outcome: string }]
  assert.deepEqual([slow.code, outcome], [1, 'too-slow'])
  const good = await works('run', docroot, '--base', base, '--bundle', bundle)
  assert.equal(good.stdout.trimEnd().split('\n').length, 8)
})

test('an access log is counted for an agent that may know it', async () => {
  const [important, log, own] = [at('important.agent'), at('access.log'), at('log-agents')]
  writeFileSync(log, logLine('/dogs.html').repeat(50) + logLine('/secret/plan.html').repeat(900))
  await works('build', join(examples, 'important-pages.js'), '--engine', ENGINE, '--out', important)
  await works('sign', important, '--key', keys)
  const shy = await works('install', important, '--agents', own, '--trust', shown)
  assert.match(shy.stderr, /would like to know how often each page was read, and is not told: --allow-log/)
  const best = async (): Promise<unknown> => {
    const { runs } = lastJson(
      await works('run', docroot, '--base', base, '--agents', own, '--access-log', log, '--json'),
    )
    const read = readResult(readFileSync((runs as [{ file: string }])[0].file, 'utf8'))
    assert.ok(read.kind === 'result')
    assert.ok(read.result.records.every(({ record }) => !record.url.includes('secret')))
    return [read.result.records[0]?.record.url, read.result.records[0]?.record['hits']]
  }
  assert.deepEqual(await best(), [`${base}cats.html`, 0])
  await works('install', important, '--agents', own, '--allow-log')
  assert.deepEqual(await best(), [`${base}dogs.html`, 50])
})

writeFileSync(at('none.js'), 'export const x = 1')
writeFileSync(at('mute.js'), 'export default () => {}')
writeFileSync(at('odd.js'), 'export const manifest = { name: "Odd Name" }; export default () => {}')
writeFileSync(at('text.txt'), 'hello')
const runs = ['run', docroot, '--base', base]

// oxfmt-ignore
const cases: [words: string[], code: number, message: RegExp][] = [
  [[],                                                   2, /WORD is missing: build, sign, install/],
  [['biuld'],                                            2, /"biuld" is nothing to do with agents: .* Did you mean build\?/],
  [['build'],                                            2, /FILE is missing: the program/],
  [['build', at('none.js'), 'more'],                     2, /"more" is one word too many/],
  [['build', at('missing.js')],                          2, /missing\.js is not there/],
  [['build', at('none.js')],                             2, /none\.js is no agent \(bad-program\): it exports neither/],
  [['build', at('mute.js')],                             2, /must export const manifest/],
  [['build', at('odd.js')],                              2, /Say whose agent it is: --engine URL/],
  [['build', at('odd.js'), '--engine', ENGINE],          2, /"name" of the manifest must be lower-case/],
  [['build', at('odd.js'), '--engine', 'engine'],        2, /--engine "engine" is no http or https URL/],
  [['sign', at('text.txt'), '--key', keys],              1, /text\.txt is no agent: it does not begin with "comity-agent 1"/],
  [runs.slice(0, 2),                                     2, /Say where visitors find the site: --base/],
  [['run', at('nowhere'), '--base', base],               2, /nowhere is not there/],
  [[...runs, '--agents', at('empty')],                   2, /No agent is installed in .*empty/],
  [[...runs, '--agents', join(docroot, 'a')],            2, /inside the document root/],
  [[...runs, '--agents', at('empty'), '--name', 'x'],    1, /There is no agent x in/],
  [[...runs, '--bundle', 'x', '--name', 'x'],            2, /leave out one of them/],
  [[...runs, '--memory', '1MB'],                         2, /memoryBytes must be a whole number from 16777216/],
  [[...runs, '--cpu', 'fast'],                           2, /--cpu "fast" is not a duration/],
  [['install', at('text.txt'), '--rollout', 'some'],     2, /--rollout "some" is no way to roll out/],
  [['audit', at('text.txt')],                            2, /Name what the site says it emitted/],
  [['audit', at('text.txt'), at('text.txt')],            2, /Say where the fetched pages are: --collection/],
  [['rollback', 'nobody', '--agents', at('empty')],      1, /There is no agent nobody/],
  [['revoke'],                                           2, /FILE is missing: the list of revocations/],
  [['revoke', at('text.txt'), '--agents', at('empty')],  1, /no list of revocations/],
  [['revoke', '--key', keys],                            2, /Say what to take back/],
  [['revoke', 'x', '--key', keys],                       2, /Say where the list goes: --out/],
  [['revoke', 'x', '--key', keys, '--out', at('l')],     2, /x is neither the digest of a bundle/],
]

test('wrong use is told what would work, on stderr, without a stack', { concurrency: 2 }, async (t) => {
  await Promise.all(
    cases.map(([words, code, message]) =>
      t.test(words.join(' '), async () => {
        const ended = await agent(...words)
        assert.equal(ended.stdout, '')
        assert.match(ended.stderr, message)
        assert.doesNotMatch(ended.stderr, /\n {4}at /)
        assert.equal(ended.code, code)
      }),
    ),
  )
})
