/** A nats-server of a test's own, with JetStream, on a free port of this machine. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { portOf } from '@comity/testbed'
import { missing } from '@comity/protocol/testing'

const PLACES = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
export const natsProgram: string | undefined = PLACES.map((dir) => join(dir, 'nats-server')).find((path) =>
  existsSync(path),
)

export const isNatsHere = (): boolean => natsProgram !== undefined

export interface NatsServer extends AsyncDisposable {
  readonly url: string
  /** kill -9. */
  kill(): Promise<void>
  /** Begin again on the same port; with nothing kept when that is said. */
  restart(isWiped?: boolean): Promise<void>
}

/** Undefined where there is none, and the test is skipped or fails. */
export async function startNats(t: Parameters<typeof missing>[0]): Promise<NatsServer | undefined> {
  if (natsProgram === undefined) {
    missing(t, 'nats-server', 'apt-get install nats-server; without it nothing of the road on NATS is tried')
    return undefined
  }
  const port = await freePort()
  const dir = mkdtempSync(join(tmpdir(), 'comity-nats-'))
  let child = await started(port, dir)
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  return {
    url: `nats://127.0.0.1:${port}`,
    kill,
    restart: async (isWiped = false) => {
      await kill()
      if (isWiped) rmSync(dir, { recursive: true, force: true })
      child = await started(port, dir)
    },
    [Symbol.asyncDispose]: async () => {
      await kill()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function started(port: number, dir: string): Promise<ChildProcess> {
  const child = spawn(natsProgram!, ['-js', '-sd', dir, '-a', '127.0.0.1', '-p', `${port}`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text
      if (said.includes('Server is ready')) resolve()
    })
    child.once('exit', () => reject(new Error(`nats-server ended:\n${said}`)))
  })
  return child
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const port = portOf(server)
  await new Promise<void>((resolve) => void server.close(() => resolve()))
  return port
}
