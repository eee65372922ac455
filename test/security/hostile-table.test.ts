// Runs alone: whatever it does to memory is done to its own.
/** Each row of the hostile table, live: it ends as its row says, and what it arrived at goes on. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hostileTable, openHostileHost } from './hostile-table.ts'
import type { HostileHost } from './hostile-table.ts'

let host: HostileHost
before(async () => {
  host = await openHostileHost()
})
after(async () => await host[Symbol.asyncDispose]())

for (const document of hostileTable) {
  test(`${document.name}, as a ${document.arrives}, ends in ${document.expect}`, { timeout: 120_000 }, async () => {
    const body = document.make()
    assert.ok(body.length < 17 << 20, `${body.length} bytes are not small`)
    assert.equal(await host.arrive(document, body), document.expect)
  })
}
