/**
 * What stands in deploy/, as the programs that read it see it: systemd, Prometheus, and the command itself as process 1, as nobody, with
 * nothing of an environment. No container engine is asked: of the Containerfile and the dashboard it is looked at what they say.
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { leftOut, missing } from '@comity/protocol/testing'
import { METRICS } from '../../packages/repository/src/http/metrics.ts'
import { quickCrawl } from '../crawl/quick-crawl.ts'
import { read, root } from '../repository-tree.ts'
import { createSmallSite, page } from '../sites/small-site.ts'

const folder = mkdtempSync(join(tmpdir(), 'comity-deploy-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const LIMIT = { timeout: 120_000 }

const hasTool = (name: string): boolean => spawnSync('sh', ['-c', `command -v ${name}`]).status === 0

function ran(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  assert.equal(status, 0, `${command} ${args.join(' ')}\n${stdout}${stderr}`)
  return stdout + stderr
}

const shim = join(root, 'packages/cli/bin/comity.js')

test('systemd finds nothing wrong with the units, and that they may do little', (t) => {
  if (!hasTool('systemd-analyze')) return missing(t, 'systemd-analyze', 'apt-get install systemd')
  const units = readdirSync(join(root, 'deploy/systemd')).filter((name) => name.endsWith('.service'))
  assert.equal(units.length, 3)
  for (const unit of units) {
    const text = read(`deploy/systemd/${unit}`)
    const own = join(folder, unit)
    // The program must be there, or systemd complains of that alone.
    writeFileSync(own, text.replaceAll('/usr/local/bin/comity', shim))
    const [name] = unit.split('@')
    assert.equal(ran('systemd-analyze', 'verify', '--man=no', join(folder, `${name}@one.service`)), '', unit)
    ran('systemd-analyze', 'security', '--offline=true', '--threshold=20', own)
    const rights = /^CapabilityBoundingSet=(?<some>.*)$/m.exec(text)?.groups?.['some']
    assert.equal(rights, unit.startsWith('comity-gateway') ? 'CAP_NET_RAW' : '', unit)
  }
})

test('the container is nobody’s but its own: not root, one process, a volume, a polite end', () => {
  const text = read('deploy/Containerfile')
  const [, last = ''] = text.split(/^FROM (?=[^\n]*-slim$)/m)
  assert.doesNotMatch(last, /COPY \. /, 'no source in what is shipped')
  const lines = new Map([...last.matchAll(/^([A-Z]+) (.+)$/gm)].map(([, word = '', rest = '']) => [word, rest]))
  assert.match(lines.get('USER') ?? 'root', /^[1-9]\d{3,}:[1-9]\d{3,}$/)
  assert.deepEqual(JSON.parse(lines.get('ENTRYPOINT') ?? ''), ['comity'])
  assert.equal(lines.get('VOLUME'), '/data')
  assert.equal(lines.get('STOPSIGNAL'), 'SIGTERM')
})

interface Composed {
  readonly services: Readonly<
    Record<string, Readonly<Record<string, unknown>> & { readonly command: readonly string[] }>
  >
}

test('compose gives each writer a name that stays, and lets the reader count its processes with the writer', (t) => {
  const script = 'import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)'
  const { status, stdout } = spawnSync('python3', ['-c', script], {
    input: read('deploy/compose.yaml'),
    encoding: 'utf8',
  })
  if (status !== 0) return missing(t, 'python3-yaml', 'apt-get install python3-yaml')
  const { services } = JSON.parse(stdout) as Composed
  assert.deepEqual(Object.keys(services), ['crawl', 'watch', 'serve'])
  for (const [name, { command }] of Object.entries(services)) assert.equal(command[0], name)
  assert.deepEqual(
    Object.values(services).map(({ hostname, pid, read_only: isReadOnly }) => [hostname, pid, isReadOnly]),
    [
      ['comity-crawl', undefined, true],
      ['comity-watch', undefined, true],
      [undefined, 'service:watch', true],
    ],
  )
})

interface Dashboard {
  readonly schemaVersion: number
  readonly panels: readonly {
    readonly id: number
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
    readonly targets: readonly { readonly expr: string; readonly refId: string }[]
  }[]
}

const dashboard = JSON.parse(read('deploy/monitoring/grafana-dashboard.json')) as Dashboard
const asked = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
const alerts = [...read('deploy/monitoring/alerts.yml').matchAll(/expr: (.+)/g)].map(([, expr = '']) => expr)

test('the dashboard and the alerts ask for what there is, and no panel covers another', () => {
  const named = [...asked, ...alerts].flatMap((expr) => expr.match(/\bcomity_\w+/g) ?? [])
  assert.ok(named.length > 20)
  assert.deepEqual(
    named.filter((name) => !Object.hasOwn(METRICS, name.replace(/_bucket$/, ''))),
    [],
  )
  const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) => {
    assert.ok(x + w <= 24)
    return Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`)
  })
  assert.equal(new Set(cells).size, cells.length)
  assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length)
})

/** A collection that uid `NOBODY` may write. */
const NOBODY = 10_001
let collection: Promise<string> | undefined
function smallCollection(): Promise<string> {
  return (collection ??= (async () => {
    await using site = await createSmallSite({ '/': page('Home', '/a', '/b'), '/a': page('A'), '/b': page('B') })
    const dir = join(folder, 'data')
    await quickCrawl(dir, [`${site.origin}/`], { index: true })
    return dir
  })())
}

async function answers(url: string): Promise<Response> {
  for (let tries = 0; ; tries++) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok === true) return answer
    if (tries === 300) assert.fail(`${url} never answered`)
    await sleep(100)
  }
}

test(
  'a real Prometheus takes the configuration, scrapes what is served, and answers every question of the dashboard',
  LIMIT,
  async (t) => {
    if (!hasTool('prometheus') || !hasTool('promtool')) return missing(t, 'prometheus', 'apt-get install prometheus')
    const config = join(root, 'deploy/monitoring/prometheus.yml')
    assert.match(ran('promtool', 'check', 'config', config), /4 rules found/)
    const serve = spawn(shim, ['serve', await smallCollection(), '--port', '0', '--json'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    t.after(() => serve.kill('SIGKILL'))
    const { url } = JSON.parse(String((await once(serve.stdout, 'data'))[0])) as { url: string }
    await answers(`${url}readyz`)
    const linted = spawnSync('promtool', ['check', 'metrics'], {
      input: await (await answers(`${url}metrics`)).text(),
      encoding: 'utf8',
    })
    assert.deepEqual([linted.status, linted.stdout, linted.stderr], [0, '', ''])

    const own = join(folder, 'prometheus.yml')
    const text = readFileSync(config, 'utf8').replace('127.0.0.1:8090', new URL(url).host).replace('15s', '1s')
    writeFileSync(
      own,
      text.replace('rule_files: [alerts.yml]', `rule_files: ["${join(root, 'deploy/monitoring/alerts.yml')}"]`),
    )
    const port = 20_000 + (process.pid % 20_000)
    const args = [
      `--config.file=${own}`,
      `--storage.tsdb.path=${join(folder, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ]
    const prometheus = spawn('prometheus', args, { stdio: 'ignore' })
    t.after(() => prometheus.kill('SIGKILL'))
    const ask = async (expr: string): Promise<number> => {
      const answer = await answers(`http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expr)}`)
      return ((await answer.json()) as { data: { result: unknown[] } }).data.result.length
    }
    for (let tries = 0; (await ask('comity_pages{state="held"} == 3')) === 0; tries++) {
      assert.ok(tries < 300, 'it was never scraped')
      await sleep(100)
    }
    // Rates take two looks.
    await sleep(2_500)
    const empty: string[] = []
    for (const expr of asked) if ((await ask(expr.replaceAll('$instance', '.*'))) === 0) empty.push(expr)
    // Nothing writes the collection just now.
    assert.deepEqual(
      empty.filter((expr) => !/comity_crawl_(?:pages_per_second|unindexed_pages)/.test(expr)),
      [],
    )
  },
)

/** As a container runs it: process 1 of its own numbers, nobody, without a right, an environment of three words. */
function contained(args: readonly string[]): ChildProcess {
  const path = [dirname(process.execPath), '/usr/bin', '/bin'].join(':')
  const nobody = [
    'setpriv',
    `--reuid=${NOBODY}`,
    `--regid=${NOBODY}`,
    '--clear-groups',
    '--no-new-privs',
    '--bounding-set=-all',
  ]
  const environment = ['env', '-i', `PATH=${path}`, 'HOME=/tmp', 'NODE_ENV=production']
  const words = ['--pid', '--fork', '--kill-child', '--mount-proc', ...nobody, ...environment, shim, ...args]
  return spawn('unshare', words, { stdio: ['ignore', 'pipe', 'pipe'] })
}

/** The number that process 1 of a namespace has outside. */
const insideOf = ({ pid }: ChildProcess): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ')[0])

/** Gives all that it says from then on, too. */
async function said(child: ChildProcess, words: RegExp): Promise<() => string> {
  let text = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.setEncoding('utf8').on('data', (piece: string) => void (text += piece))
  for (let tries = 0; !words.test(text); tries++) {
    assert.ok(tries < 600, text)
    await sleep(50)
  }
  return () => text
}

async function politelyEnded(child: ChildProcess, text: () => string, withinMs = 10_000): Promise<void> {
  const [ended, beganAt] = [once(child, 'exit'), performance.now()]
  process.kill(insideOf(child), 'SIGTERM')
  assert.deepEqual(await ended, [0, null], text())
  const took = performance.now() - beganAt
  assert.ok(took < withinMs, `${took} ms`)
}

async function mayContain(t: TestContext): Promise<boolean> {
  if (!hasTool('setpriv') || !hasTool('unshare')) {
    missing(t, 'setpriv and unshare', 'apt-get install util-linux')
    return false
  }
  const probe = contained(['--version'])
  const [code] = (await once(probe, 'exit')) as [number | null]
  if (code !== 0) leftOut(t, 'namespaces of processes are not allowed here, or the checkout cannot be read by others')
  return code === 0
}

test(
  'as process 1 and nobody, watch and serve stop politely at SIGTERM, sooner than an orchestrator kills',
  LIMIT,
  async (t) => {
    if (!(await mayContain(t))) return
    const dir = join(folder, 'contained')
    await using site = await createSmallSite({ '/': page('Home', '/a'), '/a': page('A') }, '127.0.50.9')
    await quickCrawl(dir, [`${site.origin}/`], { index: true })
    for (const name of ['', ...readdirSync(dir, { recursive: true, encoding: 'utf8' })])
      chownSync(join(dir, name), NOBODY, NOBODY)
    spawnSync('chmod', ['a+rx', folder])

    const watch = contained([
      'watch',
      dir,
      '--allow-private',
      '--delay',
      '0',
      '--budget',
      '2/s',
      '--user-agent',
      'comity-test/1.0',
    ])
    t.after(() => watch.kill('SIGKILL'))
    const told = await said(watch, /^/)
    for (let tries = 0; !existsSync(join(dir, 'crawl.sock')); tries++) {
      assert.ok(tries < 600 && watch.exitCode === null, told())
      await sleep(50)
    }
    await politelyEnded(watch, told)

    const serve = contained(['serve', dir, '--port', '0'])
    t.after(() => serve.kill('SIGKILL'))
    const words = await said(serve, /Ctrl-C stops/)
    // Two containers count their processes alike, so that LMDB takes the second for the first.
    const stranger = contained(['serve', dir, '--port', '0'])
    t.after(() => stranger.kill('SIGKILL'))
    const ended = once(stranger, 'exit')
    await said(stranger, /Let them share their process numbers \(`pid: "service:NAME"`/)
    assert.deepEqual(await ended, [1, null])
    await politelyEnded(serve, words)
  },
)
