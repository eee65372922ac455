import { after } from 'node:test'
import { startNats } from '../testing/nats-server.ts'
import type { NatsServer } from '../testing/nats-server.ts'
import { roadSuite } from '../testing/road.suite.ts'
import { MemoryRoadNet } from './memory-road.ts'
import { NatsRoad } from './nats-road.ts'
import type { Road } from './road.ts'

roadSuite('memory', async () => {
  const net = new MemoryRoadNet()
  return await Promise.resolve((machine: string) => Promise.resolve(net.road(machine)))
})

let server: NatsServer | undefined
const open: Road[] = []
let made = 0
after(async () => {
  for (const road of open) await road[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

roadSuite('NATS', async (t) => {
  server ??= await startNats(t)
  if (server === undefined) return undefined
  const place = { servers: server.url, name: `suite-${++made}` }
  return async () => {
    const road = await NatsRoad.open(place)
    open.push(road)
    await road.makeRegister()
    return road
  }
})
