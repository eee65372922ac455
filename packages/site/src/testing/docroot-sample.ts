/** A document root for tests, and a clock that moves only when somebody sleeps. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Instant } from '@comity/protocol'
import type { DocrootScanWorld } from '../sources/docroot-options.ts'
import { AT, testFolder } from './journal-sample.ts'

export interface SampleRoot {
  readonly dir: string
  write(name: string, text: string | Uint8Array, modifiedAt?: Instant): void
}

/** Files are an hour old unless said otherwise. */
export function sampleRoot(t: TestContext, files: Readonly<Record<string, string>> = {}): SampleRoot {
  const dir = testFolder(t)
  const write: SampleRoot['write'] = (name, text, modifiedAt = AT - 3_600_000) => {
    const path = join(dir, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    utimesSync(path, modifiedAt / 1_000, modifiedAt / 1_000)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  return { dir, write }
}

export class SampleWorld implements DocrootScanWorld {
  at: Instant = AT
  readonly slept: number[] = []
  /** What happens while somebody sleeps. */
  onSleep: (ms: number) => void | Promise<void> = () => undefined

  now(): Instant {
    return this.at
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    this.at += ms
    this.slept.push(ms)
    await this.onSleep(ms)
  }
}
