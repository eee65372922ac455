import { slowAndFloodingSuite } from '@comity/site/testing'
import { openProxy } from '../testing/proxy-fixture.ts'

slowAndFloodingSuite('gateway', async (origin, limits) => {
  const { proxy, port, [Symbol.asyncDispose]: stop } = await openProxy({ origin, limits })
  return { port, counters: proxy.counters, [Symbol.asyncDispose]: stop }
})
