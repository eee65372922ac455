/**
 * Keep a table of PostgreSQL in step with a collection that another process writes. Where we are is stored in the transaction that stores
 * the rows, so each change counts once, whoever is killed when. `npm install pg`; the PG* variables say which server.
 *
 *   npx node examples/store-in-postgres.ts /tmp/first          stops when it has caught up; add "stay" to go on
 */
import pg from 'pg'
import { follow } from '@comity/collection'
import { pageReader, text } from '@comity/fields'

const [dir = 'collection', how] = process.argv.slice(2)
const database = new pg.Client()
await database.connect()
await database.query('CREATE TABLE IF NOT EXISTS pages (page bigint PRIMARY KEY, url text NOT NULL, title text)')
await database.query('CREATE TABLE IF NOT EXISTS followed (dir text PRIMARY KEY, number bigint NOT NULL)')
const { rows } = await database.query<{ number: string }>('SELECT number FROM followed WHERE dir = $1', [dir])
const read = pageReader({ title: text('title') })

for await (const change of follow(dir, Number(rows[0]?.number ?? 0), { stayOpen: how === 'stay' })) {
  await database.query('BEGIN')
  for (const { page, read: readBack } of change.pages) {
    const answer = readBack()
    const found = answer === undefined ? undefined : read(answer)
    if (answer === undefined || found?.kind !== 'read')
      await database.query('DELETE FROM pages WHERE page = $1', [page])
    else {
      const put = 'INSERT INTO pages VALUES ($1, $2, $3) ON CONFLICT (page) DO UPDATE SET url = $2, title = $3'
      await database.query(put, [page, answer.url, found.values.title])
    }
  }
  const at = 'INSERT INTO followed VALUES ($1, $2) ON CONFLICT (dir) DO UPDATE SET number = $2'
  await database.query(at, [dir, change.number])
  await database.query('COMMIT')
}
const { rows: counted } = await database.query<{ pages: string }>('SELECT count(*) AS pages FROM pages')
console.log(`${counted[0]?.pages} pages`)
await database.end()
