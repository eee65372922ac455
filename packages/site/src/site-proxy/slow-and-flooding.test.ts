import { MemoryJournal } from '../journal/memory-journal.ts'
import { slowAndFloodingSuite } from '../testing/slow-and-flooding.suite.ts'
import { createSiteProxy } from './site-proxy.ts'

slowAndFloodingSuite('site', async (origin, limits) => {
  const proxy = createSiteProxy({
    origin,
    journal: new MemoryJournal({ id: 'slow' }),
    base: 'http://a.example/',
    now: Date.now,
    timeoutMs: limits.originMs,
    proxyLimits: limits,
  })
  await proxy.ready()
  const { port } = await proxy.listen()
  return { port, counters: proxy.counters, [Symbol.asyncDispose]: async () => await proxy.stop(0) }
})
