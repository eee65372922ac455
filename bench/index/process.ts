/** Processes of `bench/index.ts`: each build and each set of queries is one, alone on one core, and tells JSON. */
import { spawn, spawnSync } from 'node:child_process'
import type { Detail, Built, Queried } from './engine.ts'
import { LIMIT, PASSES, WARM_MS, WARM_PASSES, WARMING } from './engine.ts'

export interface Command {
  readonly program: string
  readonly arguments: readonly string[]
}

/** How to make an engine work in a process of its own. */
export interface Contestant {
  readonly id: string
  /** Name with version. */
  readonly name: string
  build(documents: string, index: string, detail: Detail): Command
  query(index: string, queries: string): Command
}

/** The same for all: FTS5's `hashsize`, Lucene's `RAMBufferSizeMB`, and our own setting. */
export const MEMORY_MB = 64

/** A JVM with room enough; on one core it chooses the serial collector by itself. */
const JAVA_FLAGS = ['-Xmx1g', '-Duser.language=en', '-Duser.country=US']

export function nodeContestant(id: string, name: string, main: string): Contestant {
  const command = (...flags: string[]): Command => ({
    program: process.execPath,
    arguments: [main, '--engine', id, ...flags],
  })
  return {
    id,
    name,
    build: (documents, index, detail) =>
      command('--act', 'build', '--documents', documents, '--index', index, '--detail', detail),
    query: (index, queries) => command('--act', 'query', '--index', index, '--queries', queries),
  }
}

export function javaContestant(id: string, name: string, classPath: string): Contestant {
  const command = (...args: string[]): Command => ({
    program: 'java',
    arguments: [...JAVA_FLAGS, '-cp', classPath, 'LuceneBench', ...args],
  })
  return {
    id,
    name,
    build: (documents, index, detail) => {
      const { warmPasses, warmMs, passes } = WARMING[detail]
      return command('build', documents, index, detail, ...[MEMORY_MB, warmPasses, warmMs, passes].map(String))
    },
    query: (index, queries) =>
      command('query', index, queries, ...[LIMIT, WARM_PASSES, WARM_MS, PASSES].map((setting) => String(setting))),
  }
}

/** Runs processes on one core, or on any where `taskset` (util-linux) is not there. */
export interface Runner {
  readonly pinned: boolean
  readonly run: <Told extends Built | Queried>(command: Command) => Promise<Told>
}

export function createRunner(core: number): Runner {
  const pinned = spawnSync('taskset', ['-c', String(core), 'true']).status === 0
  return {
    pinned,
    run: ({ program, arguments: args }) =>
      pinned ? tell('taskset', ['-c', String(core), program, ...args]) : tell(program, args),
  }
}

async function tell<Told>(program: string, args: readonly string[]): Promise<Told> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const code = await new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject))
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`)
  return JSON.parse(Buffer.concat(chunks).toString())
}
