/** Where a cluster is, for commands that go there: the road, and what is there. */
import { NatsRoad, readSettings } from '@comity/cluster'
import type { ClusterSettings } from '@comity/cluster'
import type { ClusterPlaceSettings } from './place-flags.ts'
import { UsageError } from '../usage-error.ts'

export async function openRoad(servers: string | undefined, settings: ClusterPlaceSettings): Promise<NatsRoad> {
  const { name, credentials, natsCa: ca } = settings
  if (servers === undefined || !/^(?:nats|tls|wss?):\/\/\S+/.test(servers))
    throw new UsageError('Say where NATS is: nats://HOST:4222.')
  if (name === undefined) throw new UsageError('Say which cluster: --name web.')
  return await NatsRoad.open({ servers, name, credentials, ca })
}

export async function openCluster(
  servers: string | undefined,
  place: ClusterPlaceSettings,
): Promise<{ readonly road: NatsRoad; readonly settings: ClusterSettings }> {
  const road = await openRoad(servers, place)
  try {
    return { road, settings: await readSettings(road.register, place.name ?? '') }
  } catch (error) {
    await road[Symbol.asyncDispose]()
    throw error
  }
}
