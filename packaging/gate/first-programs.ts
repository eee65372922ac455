/**
 * First programs: what the READMEs of the packages begin with, run as they were installed. They speak of example.org, of which there is none
 * here; so each names what is put in the place of that, and a README that says something else then fails.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { run, strangersEnvironment } from './processes.ts'
import { hoursCapture, withSite } from './trials.ts'

interface FirstProgram {
  /** What stands there, and what is put in its place. */
  readonly instead?: readonly (readonly [there: string, here: string])[]
  /** What it prints. */
  readonly prints: RegExp
}

/** In this order: one crawls what others read. */
const programs = (home: string): Readonly<Record<string, FirstProgram>> => ({
  crawler: {
    instead: [
      ["['https://example.org/']", `['${home}'], allowPrivate: true, privateDelayMs: 0, index: true`],
      ['https://your.example/bot', `${home}bot`],
    ],
    prints: /^2 pages and \d+ links of 1 site/,
  },
  collection: { prints: /^200 http.*\/tides "Tides"/m },
  search: { instead: [['more information', 'high water']], prints: /"Tides"\n1 page\(s\) match/ },
  protocol: { instead: [['https://example.org', home.slice(0, -1)]], prints: /^true/ },
  fields: { prints: /^Tides 1250\.5 https:\/\/books\.example\/2/ },
  frontier: { prints: /^backlink/m },
  disk: { prints: /^$/ },
  gateway: { prints: /pages: 1\b/ },
  lab: { prints: /^\d{3,} pages/ },
  testbed: { prints: /^http\S+ [1-9]/ },
})

/** `site` serves for ever, and `agent` reads a bundle that its readers have made; those have trials of their own. */
const ELSEWHERE: ReadonlySet<string> = new Set(['site', 'agent'])

const programIn = (readme: string): string | undefined =>
  /^```ts\n(?<program>[\s\S]*?)^```/m.exec(readme)?.groups?.['program']

/** `names`: the packages that are installed in the folder. */
export async function runFirstPrograms(node: string, folder: string, names: readonly string[]): Promise<void> {
  const place = join(folder, 'first-programs')
  mkdirSync(join(place, 'journal'), { recursive: true })
  writeFileSync(join(place, 'capture.pcap'), hoursCapture())
  const found = new Map(
    names.flatMap((name) => {
      const program = programIn(readFileSync(join(folder, 'node_modules', name, 'README.md'), 'utf8'))
      return program === undefined ? [] : [[name.replace('@comity/', ''), program] as const]
    }),
  )
  await withSite(async (home) => {
    const known = programs(home)
    assert.deepEqual([...found.keys()].toSorted(), [...Object.keys(known), ...ELSEWHERE].toSorted())
    for (const [name, { instead = [], prints }] of Object.entries(known)) {
      const text = instead.reduce((program, [there, here]) => {
        assert.ok(program.includes(there), `the README of ${name} does not say ${there}`)
        return program.replaceAll(there, here)
      }, found.get(name)!)
      writeFileSync(join(place, `${name}.ts`), text)
      assert.match((await run(node, [`${name}.ts`], place)).stdout, prints, name)
    }
  })
  await servesSite(node, place, found.get('site')!)
}

/** The site of the README answers, and tells of its pages. */
async function servesSite(node: string, place: string, text: string): Promise<void> {
  const port = await freePort()
  assert.ok(text.includes('listen(8080)') && text.includes("'journal'"))
  const program = text.replace('listen(8080)', `listen(${port}, '127.0.0.1')`).replace("'journal'", "'site-journal'")
  writeFileSync(join(place, 'site.ts'), program)
  const child = spawn(node, ['site.ts'], { cwd: place, stdio: 'inherit', env: strangersEnvironment() })
  try {
    const headers = { host: 'example.org' }
    const ask = async (path: string): Promise<Response | undefined> =>
      await fetch(`http://127.0.0.1:${port}${path}`, { headers }).catch(() => undefined)
    let page = await ask('/')
    for (let tries = 0; page === undefined && tries < 200 && child.exitCode === null; tries++) {
      await sleep(50)
      page = await ask('/')
    }
    assert.equal(await page?.text(), '<h1>Hello</h1>')
    assert.match((await (await ask('/.well-known/comity/changes'))?.text()) ?? '', /"token"/)
  } finally {
    child.kill('SIGKILL')
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
