import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { missing } from '@comity/protocol/testing'
import { sandboxLaunch } from './launch.ts'

const run = promisify(execFile)

test("a sandbox's process reads no files but its own, writes none, starts nothing, and has no environment", async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { command, args, isOffline } = sandboxLaunch(
    10_000,
    join(import.meta.dirname, '../testing/walls-probe-fixture.ts'),
  )
  const { stdout } = await run(command, [...args, `${port}`], { env: {} })
  const denied = 'ERR_ACCESS_DENIED'
  const { network, ...rest } = JSON.parse(stdout) as Record<string, unknown>
  assert.deepEqual(rest, { read: denied, write: denied, spawn: denied, thread: denied, environment: [] })
  if (!isOffline) return missing(t, 'a network namespace', 'install util-linux, or allow user namespaces')
  assert.match(String(network), /^ENET|^ECONNREFUSED$/)
})

test('the kernel ends it when its processor time is up, with no host to do so', async (t) => {
  if (process.platform === 'win32') return missing(t, 'a limit of processor time', 'take another system than Windows')
  const { command, args } = sandboxLaunch(-4_000, join(import.meta.dirname, '../testing/walls-loop-fixture.ts'))
  await assert.rejects(run(command, args, { env: {} }), ({ signal }: { signal?: string }) => {
    assert.match(String(signal), /^SIG(?:KILL|XCPU)$/)
    return true
  })
})
