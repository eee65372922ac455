/**
 * Check: the packages as strangers get them. They are built, packed, installed from the tarballs into empty folders, and used there with
 * the oldest Node that they name and with that of the checkout. Nothing of the checkout is in the way there, so what a tarball
 * lacks is missed.
 *
 *   npm run check:packages
 */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { apiFaults, apiPages } from './api.ts'
import { build } from './build.ts'
import { runFirstPrograms } from './gate/first-programs.ts'
import { checkTypes, runExamples } from './gate/consumers.ts'
import { manifestFaults } from './gate/manifest-rules.ts'
import { pinned, runtimes } from './gate/runtimes.ts'
import { install, withNeeds } from './gate/strangers-folder.ts'
import type { Installed } from './gate/strangers-folder.ts'
import { builtFiles, contentFaults, missesForgotten, pack } from './gate/tarballs.ts'
import type { Tarball } from './gate/tarballs.ts'
import { importAll, tryCommand, tryLab, tryWithout } from './gate/trials.ts'

/** Sizes that are promised, in megabytes. */
const MOST_MB = { command: 45, site: 3 }

/** What programs of strangers have beside ours, as those of `examples/` do. */
const FOR_EXAMPLES: readonly string[] =
  '@types/node @types/express @types/pg unpdf express fastify hono @hono/node-server pg'.split(' ')

interface Published {
  readonly exports: Readonly<Record<string, unknown>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly engines: Readonly<Record<string, string>>
}

const manifestOf = ({ folder }: Tarball): Published =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Published

/** `@comity/site`, `@comity/site/internal`: all that can be imported of these. */
const waysInto = (tarballs: readonly Tarball[]): string[] =>
  tarballs.flatMap((tarball) =>
    Object.keys(manifestOf(tarball).exports)
      .filter((way) => way !== './package.json')
      .map((way) => tarball.name + way.slice(1)),
  )

async function step<Value>(name: string, work: () => Value | Promise<Value>): Promise<Value> {
  const beganAt = Date.now()
  const value = await work()
  console.log(`${((Date.now() - beganAt) / 1_000).toFixed(1).padStart(6)} s  ${name}`)
  return value
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
const told = (name: string, { bytes, diskBytes, packages }: Installed): void =>
  console.log(`          ${name}: ${megabytes(bytes)}, ${megabytes(diskBytes)} in blocks, ${packages} packages`)

async function check(scratch: string): Promise<void> {
  const folders = await step('build', build)
  await step('the surface is what api/ says', () => {
    assert.deepEqual(apiFaults(apiPages(folders)), [], 'run: npm run api, and look at what changed')
  })
  const packed = join(scratch, 'tarballs')
  mkdirSync(packed)
  const tarballs = await step('pack', async () => pack(folders, packed))
  await step('what is in the tarballs, publint, and whether the types are wrong', async () => {
    const faults: string[] = []
    for (const tarball of tarballs)
      for (const fault of [...contentFaults(tarball, builtFiles(tarball)), ...(await manifestFaults(tarball))])
        faults.push(`${tarball.name}: ${fault}`)
    assert.deepEqual(faults, [])
  })
  const byName = new Map(tarballs.map((tarball) => [tarball.name, tarball]))
  const named = (name: string): Tarball => byName.get(name) ?? assert.fail(`there is no ${name}`)
  const needsOf = (name: string): string[] =>
    Object.keys(manifestOf(named(name)).dependencies ?? {}).filter((other) => byName.has(other))
  await step('a file that `files` forget is missed', async () =>
    assert.ok(await missesForgotten(named('@comity/site'), scratch)),
  )
  const all = await runtimes(manifestOf(named('comity')).engines['node'] ?? '', scratch)
  const light = await step('install the command alone', async () =>
    install(join(scratch, 'command'), withNeeds('comity', tarballs, needsOf), []),
  )
  told('comity', light)
  assert.ok(light.bytes < MOST_MB.command * 1e6, 'comity is too large')
  const site = named('@comity/site')
  console.log(`          ${site.name}: ${megabytes(site.unpackedBytes)}`)
  assert.ok(site.unpackedBytes < MOST_MB.site * 1e6, `${site.name} is too large`)
  const ways = waysInto(withNeeds('comity', tarballs, needsOf))
  await Promise.all(
    all.map(async ({ name, node }) => {
      const trials = join(scratch, name)
      mkdirSync(trials)
      const command = { node, folder: light.folder, scratch: trials }
      await step(`import ${ways.length} ways into the packages, ${name}`, async () => importAll(command, ways))
      await step(`help, crawl, search, serve, publish, gateway, ${name}`, async () => tryCommand(command))
      await step(`the lab and what reads PDF are asked for, ${name}`, async () => tryWithout(command))
    }),
  )
  const whole = await step('install everything', async () =>
    install(
      join(scratch, 'everything'),
      tarballs,
      FOR_EXAMPLES.map((name) => `${name}@${pinned(name)}`),
    ),
  )
  told('everything', whole)
  const names = tarballs.map(({ name }) => name)
  await step('the first programs of the READMEs', async () => runFirstPrograms(process.execPath, whole.folder, names))
  for (const { name, node } of all)
    await step(`the lab, ${name}`, async () => tryLab({ node, folder: whole.folder, scratch }))
  await step('types of all packages and examples, also of what they need', async () =>
    checkTypes(whole.folder, waysInto(tarballs)),
  )
  await step('the examples beside the installed packages', () => runExamples(whole.folder))
}

const scratch = mkdtempSync(join(tmpdir(), 'comity-packages-'))
try {
  await step('all', async () => check(scratch))
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
