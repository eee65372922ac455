/**
 * A collection that keeps URL rules of version 2, with settings for a site: made of a small archive, by the real command.
 *
 *   node test/formats/settled-collection.ts --keep    writes fixtures/collection-2.tar.gz
 *
 * As with those of `make-formats.ts`, that is for a new version alone, with another number.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipRecord, responseHead, responseRecord } from '@comity/protocol'
import { works } from './commands.ts'
import { HARBOUR } from './harbour-site.ts'
import { keep } from './kept-formats.ts'

/** Of other sites than what is kept before. */
export const SETTLED: string = 'https://talks.example'
/** By ids of MongoDB. */
export const TALKS: readonly string[] = ['507f1f77bcf86cd799439011', '507f1f77bcf86cd799439012']

/** Answers of a site: two talks, and a page in two sessions. */
export function talksArchive(path: string, origin: string): string {
  const urls = [...TALKS.map((id) => `/talk?session=${id}`), '/hall;jsessionid=1A', '/hall;jsessionid=2B']
  const records = urls.map((url, i) =>
    responseRecord({
      url: origin + url,
      at: Date.UTC(2026, 10, 18, i),
      httpHead: responseHead({ status: 200, headers: [['Content-Type', 'text/html']] }),
      body: Buffer.from(`<title>Talk ${i}</title><p>What is said at ${url}`),
    }),
  )
  writeFileSync(path, Buffer.concat(records.map((record) => gzipRecord(record))))
  return path
}

const SETTINGS = {
  sites: [{ origin: SETTLED, dropParameters: ['session'], keepParameters: ['utm_source'] }],
}

async function makeSettled(folder: string): Promise<void> {
  const config = join(folder, 'config.json')
  writeFileSync(config, JSON.stringify(SETTINGS))
  const archives = [SETTLED, HARBOUR].map((origin, i) => talksArchive(join(folder, `${i}.warc.gz`), origin))
  await works('import', ...archives, '--into', join(folder, 'collection'), '--config', config)
}

if (import.meta.main) {
  if (process.argv[2] !== '--keep') throw new Error('say --keep to make the kept collection')
  const folder = mkdtempSync(join(tmpdir(), 'comity-formats-'))
  await makeSettled(folder)
  keep('collection-2', folder, 'collection')
  rmSync(folder, { recursive: true })
}
