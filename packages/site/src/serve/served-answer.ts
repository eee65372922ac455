/** Served answer: an answer that reports what it was and cost once it is sent whole, or given up. */
import type { Served } from '../served.ts'
import type { SiteAnswer } from '../site-request.ts'
import type { Tally } from '../tally.ts'

type What = Pick<Served, 'scheme' | 'agent' | 'proven' | 'method' | 'path'>

export async function countedAnswer(
  what: What,
  tally: Tally,
  make: () => Promise<SiteAnswer>,
  onServed: ((served: Served) => void) | undefined,
): Promise<SiteAnswer> {
  if (onServed === undefined) return await make()
  const began = cpuMs()
  const answer = await make()
  const { status, body } = answer
  // A stream that waits for changes waits most of the time, and the processor is others' meanwhile.
  const madeMs = what.scheme === 'events' ? cpuMs() - began : undefined
  const report = (bytes: number): void => {
    const { pages, pageBytes } = tally
    onServed({ ...what, status, bytes, cpuMs: madeMs ?? cpuMs() - began, pages, pageBytes })
  }
  if (!(body instanceof Uint8Array)) return { ...answer, body: counted(body, report) }
  report(body.length)
  return answer
}

async function* counted(body: AsyncIterable<Uint8Array>, report: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      yield chunk
    }
  } finally {
    report(bytes)
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
