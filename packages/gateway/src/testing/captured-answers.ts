/** Captured answers, for tests: of each capture of HTTP Evader, made to be misread, what its server said: one answer on one connection. */
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CaptureReader } from '../packets/capture-reader.ts'
import { FlowTable } from '../flows/flow-table.ts'
import { PacketDecoder } from '../packets/packet-decoder.ts'
import type { OddAnswer } from './odd-answer.ts'

/** By the names of captures. */
export function capturedAnswers(folder: string): ReadonlyMap<string, Pick<OddAnswer, 'bytes' | 'how'>> {
  const names = readdirSync(folder).filter((name) => name.includes('http-evader'))
  const how = new Set<never>()
  return new Map(names.map((name) => [name, { bytes: answered(readFileSync(join(folder, name))), how }]))
}

/** All that servers said, in order. */
function answered(capture: Uint8Array): Buffer {
  const pieces: Buffer[] = []
  const flows = new FlowTable({
    data: ({ client }, direction, bytes) => void (direction === client ? 0 : pieces.push(Buffer.from(bytes))),
    gap: () => undefined,
    conflict: () => undefined,
    end: () => undefined,
    finish: () => undefined,
  })
  const reader = new CaptureReader(new PacketDecoder(flows))
  reader.write(capture)
  reader.end()
  flows.finish()
  return Buffer.concat(pieces)
}
