import { MemoryJournal } from '../journal/memory-journal.ts'
import { smugglingSuite } from '../testing/smuggling.suite.ts'
import { createSiteProxy } from './site-proxy.ts'

smugglingSuite('site', async (origin) => {
  const proxy = createSiteProxy({
    origin,
    journal: new MemoryJournal({ id: 'smuggling' }),
    base: 'http://a.example/',
    now: Date.now,
  })
  await proxy.ready()
  const { port } = await proxy.listen()
  return { port, [Symbol.asyncDispose]: async () => await proxy.stop(0) }
})
