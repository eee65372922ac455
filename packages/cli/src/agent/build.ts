/** `comity agent build` and `sign`: from a program to a bundle that somebody stands for. */
import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import {
  AGENT_API,
  describeAgent,
  HOST_VERSION,
  makeBundle,
  readAgentManifest,
  signBundle,
  writeBundle,
} from '@comity/agent'
import type { AgentBundle, AgentManifest } from '@comity/agent'
import type { AgentCall } from './command.ts'
import type { AgentSettings } from './flags.ts'
import { bundleOf, onlyFile, signingKeyIn } from './files.ts'
import { bundleJson, bundleLines } from './report.ts'
import { readTextFile } from '../terminal/list-source.ts'
import { formatBytes } from '../terminal/quantity.ts'
import { shellWord } from '../terminal/terminal.ts'
import { UsageError } from '../usage-error.ts'

export async function buildWord({ settings, operands, terminal }: AgentCall): Promise<number> {
  const path = onlyFile(operands, 'the program to make a bundle of, a JavaScript module')
  const source = await readTextFile(path)
  terminal.say(`loading ${path} in a sandbox`)
  const described = await describeAgent(source)
  if (described.kind === 'refused')
    throw new UsageError(`${path} is no agent (${described.outcome}): ${described.message}.`)
  const manifest = manifestOf(described.manifest, settings, Date.now(), path)
  const bundle = makeBundle(manifest, source)
  const out = settings.out ?? `${manifest.name}.agent`
  const bytes = writeBundle(bundle)
  writeFileSync(out, bytes)
  const absent = absentWords(source)
  if (settings.json) terminal.print(JSON.stringify({ file: out, bytes: bytes.length, absent, ...bundleJson(bundle) }))
  else {
    terminal.print(bundleLines(bundle, terminal.paint).join('\n'))
    if (absent.length > 0)
      terminal.say(`Not in a sandbox, though it names them: ${absent.join(', ')}. It fails where it uses them.`)
    terminal.say(
      `${out} was written (${formatBytes(bytes.length)}); sign it: comity agent sign ${shellWord(out)} --key KEYS`,
    )
  }
  return 0
}

/** What the program says of itself, what flags say, and what goes without saying. */
function manifestOf(draft: unknown, { engine, expires }: AgentSettings, now: number, path: string): AgentManifest {
  if (typeof draft !== 'object' || draft === null)
    throw new UsageError(
      `${path} does not say what it is: it must export const manifest = { name, version, about, perPage, emits }.`,
    )
  const second = Math.floor(now / 1_000) * 1_000
  const dates = { madeAt: dateOf(second), expiresAt: dateOf(second + expires) }
  const usual = { api: AGENT_API, hostVersion: HOST_VERSION, reads: ['pages'], unaudited: [], caps: {}, ...dates }
  const whole = { ...usual, ...draft, ...(engine === undefined ? {} : { engine }) }
  if (!('engine' in whole))
    throw new UsageError('Say whose agent it is: --engine URL, where the keys of the engine are.')
  const read = readAgentManifest(whole)
  if (read.kind === 'refused') throw new UsageError(`${path}: ${read.problem}.`)
  return read.manifest
}

const dateOf = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`

/** What programs elsewhere have and a sandbox has not. */
const ABSENT =
  /(?<![\w$.'"`-])(?:Date|Math\.random|Intl|fetch|require|process|Buffer|setTimeout|setInterval|console|crypto|performance|WeakRef|WebAssembly|XMLHttpRequest|window|document|TextDecoder|TextEncoder|URL|structuredClone|queueMicrotask|Atomics|SharedArrayBuffer)(?=\s*[.([]|\b(?=\s*\())/g

/** Names of these in a source, comments left out: for a word of warning, since some may be its own. */
function absentWords(source: string): string[] {
  const code = source.replaceAll(/\/\*[^]*?\*\/|(?<![:'"`])\/\/.*$/gm, ' ')
  return [...new Set(code.match(ABSENT) ?? [])].toSorted()
}

export async function signWord({ settings, operands, terminal }: AgentCall): Promise<number> {
  const path = onlyFile(operands, 'the bundle to sign')
  const bundle = bundleOf(path)
  const key = await signingKeyIn(settings.key, Date.now())
  const signed: AgentBundle = signBundle(bundle, key)
  const out = settings.out ?? path
  writeFileSync(out, writeBundle(signed))
  if (settings.json) terminal.print(JSON.stringify({ file: out, key: key.keyId, ...bundleJson(signed) }))
  else terminal.print(`${basename(out)} is signed by ${key.keyId}.`)
  return 0
}
