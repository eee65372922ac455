/**
 * PostgreSQL for a test: a server of its own on a socket in an empty folder, which is gone afterwards. Debian's package brings the programs
 * (`postgresql`); where they are not, the test is skipped, and fails where nothing may be skipped.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

/** `nobody` of Debian: PostgreSQL runs for everybody but root. */
const NOBODY = 65_534

export async function withPostgres(
  work: (environment: Readonly<Record<string, string>>) => Promise<void>,
): Promise<void> {
  const programs = globSync('/usr/lib/postgresql/*/bin/postgres').map((path) => dirname(path))
  const bin = programs.at(-1)
  if (bin === undefined) {
    if (process.env['COMITY_REQUIRE_ALL'] !== undefined) throw new Error('PostgreSQL is not installed')
    console.log('# PostgreSQL is not installed, so its example was not run')
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'comity-pg-'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const as = isRoot ? { uid: NOBODY, gid: NOBODY, cwd: folder } : { cwd: folder }
  const data = join(folder, 'data')
  try {
    await promisify(execFile)(join(bin, 'initdb'), ['-D', data, '-U', 'comity', '-A', 'trust', '--no-sync'], as)
    const settings = ['-c', 'fsync=off', '-c', 'listen_addresses=', '-c', 'shared_buffers=1MB', '-k', folder]
    const server = spawn(join(bin, 'postgres'), ['-D', data, ...settings], {
      ...as,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = once(server, 'exit')
    try {
      await readiness(server.stderr)
      await work({ PGHOST: folder, PGUSER: 'comity', PGDATABASE: 'postgres' })
    } finally {
      // At once, without waiting for those that are connected.
      server.kill('SIGQUIT')
      await ended
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function readiness(log: Readable): Promise<void> {
  let said = ''
  for await (const chunk of log.iterator({ destroyOnReturn: false })) {
    said += String(chunk)
    if (said.includes('ready to accept connections')) {
      log.resume()
      return
    }
  }
  throw new Error(`PostgreSQL did not start: ${said}`)
}
