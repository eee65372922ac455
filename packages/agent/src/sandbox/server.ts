/**
 * Sandbox server: the work of a sandbox's process. It reads what is to be run, runs it, asks for what the program asks for,
 * and says how it ended. All it can do is wait at its input and write to its output, both of which block, so that a question
 * of the agent's is a call that returns.
 */
import { hash } from 'node:crypto'
import { readSync, writeSync } from 'node:fs'
import { LENGTH_BYTES, QUESTIONS, questionFrame } from './wire.ts'
import type { SandboxJob } from './wire.ts'
import { runInVm } from './vm.ts'

const TAG = 1
const JSON_TAG = 'J'.charCodeAt(0)

/** The host is gone: nobody waits for an answer. */
export class HostGone extends Error {
  override readonly name: string = 'HostGone'
}

/** Runs one job over two file descriptors. Rejects with `HostGone` when the input ends. */
export async function serveSandbox(input: number, output: number): Promise<void> {
  const pipe = new BlockingPipe(input, output)
  const job = JSON.parse(pipe.read().toString('utf8')) as SandboxJob
  const startedAt = cpuNow()
  let isGone = false
  const ask = (question: string, text: string): Buffer => {
    try {
      return pipe.ask(question, text)
    } catch (error) {
      isGone ||= error instanceof HostGone
      throw error
    }
  }
  const calls = {
    // A pure function, so there is no need to ask anybody; in QuickJS it would take a hundred times as long.
    ask: (question: string, text: string): string =>
      question === 'digest' ? digestOf(text) : ask(question, text).toString('utf8', TAG),
    bytes: (text: string): ArrayBuffer | undefined => {
      const answer = ask('bytes', text)
      return answer[0] === JSON_TAG ? undefined : new Uint8Array(answer.subarray(TAG)).buffer
    },
    isGone: () => isGone,
  }
  const end = await runInVm(job, calls, { cpuMs: job.cpuMs, memoryBytes: job.memoryBytes, cpuNow })
  if (isGone) throw new HostGone()
  pipe.write(questionFrame('end', JSON.stringify({ ...end, cpuMs: Math.round(cpuNow() - startedAt) })))
}

/** SHA-256 of a text in UTF-8, from JSON to JSON. */
const digestOf = (text: string): string => JSON.stringify(hash('sha256', String(JSON.parse(text))))

function cpuNow(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

class BlockingPipe {
  readonly #input: number
  readonly #output: number

  constructor(input: number, output: number) {
    this.#input = input
    this.#output = output
  }

  ask(name: string, text: string): Buffer {
    const question = QUESTIONS.find((one) => one === name && one !== 'end')
    if (question === undefined) throw new Error(`There is no question ${name}.`)
    this.write(questionFrame(question, text))
    return this.read()
  }

  read(): Buffer {
    return this.#exactly(this.#exactly(LENGTH_BYTES).readUInt32LE())
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at += writeSync(this.#output, bytes, at)
  }

  #exactly(length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    for (let at = 0; at < length;) {
      const count = readSync(this.#input, bytes, at, length - at, null)
      if (count === 0) throw new HostGone()
      at += count
    }
    return bytes
  }
}
