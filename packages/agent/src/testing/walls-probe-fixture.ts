/** Tries everything a sandbox's process must not be able to do, and prints what came of it. For a test. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'

async function attempt(act: () => unknown): Promise<string> {
  try {
    await act()
    return 'done'
  } catch (error) {
    return String((error as { code?: unknown }).code)
  }
}

const port = Number(process.argv[2])
const reached = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', resolve)
    socket.on('error', reject)
    socket.unref()
  })

console.log(
  JSON.stringify({
    read: await attempt(() => readFileSync('/etc/hostname')),
    write: await attempt(() => writeFileSync('/tmp/comity-walls-probe', '')),
    spawn: await attempt(() => spawnSync('/bin/true')),
    thread: await attempt(() => new Worker('', { eval: true })),
    network: await attempt(reached),
    environment: Object.keys(process.env).filter((name) => name !== 'PWD' && name !== '_' && name !== 'SHLVL'),
  }),
)
process.exit(0)
