/**
 * A process for the crash tests to kill: a receiver in the folder named on its command line, on the port named there, that
 * believes every key file, and hears the gateways of the file named last, if any. It says when it listens.
 */
import { ReceiverService } from '../service.ts'
import type { FetchFrom } from '../proof/speaker-proof.ts'

/** Its key file holds what it is called. */
export const keyOf = (site: number): string => `key-of-${site}`

const fetchFrom: FetchFrom = async (_, path) => ({
  status: 200,
  headers: [],
  body: Buffer.from(path.slice(1, -'.txt'.length)),
})

async function listen(dir: string, port: number, gateways?: string): Promise<void> {
  const settings = { dir, after: 0, gateways, strangersPriority: 1, inbox: { minFreeBytes: 0, segmentBytes: 20_000 } }
  const service = await ReceiverService.open(settings, { now: () => Date.now(), fetchFrom })
  const at = await service.listen({ port })
  process.stdout.write(`listens ${at.port}\n`)
}

if (import.meta.main) await listen(process.argv[2] ?? '', Number(process.argv[3]), process.argv[4])
