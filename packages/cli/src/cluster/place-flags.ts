/** Where a cluster is, as commands that go there are told. */
import type { FlagTable } from '../command.ts'
import { UsageError } from '../usage-error.ts'

export interface ClusterPlaceSettings {
  readonly name: string | undefined
  readonly credentials: string | undefined
  readonly natsCa: string | undefined
}

// oxfmt-ignore
export const clusterPlaceFlags: FlagTable<ClusterPlaceSettings> = {
  name: { argument: 'NAME', default: undefined, parse: String, help: 'of the cluster: several may share one NATS' },
  credentials: { argument: 'FILE', default: undefined, parse: String, help: 'who we are to NATS: a .creds file, of this machine alone' },
  natsCa: { argument: 'FILE', default: undefined, parse: String, help: 'the authority that has signed the certificate of NATS; the connection is encrypted then' },
}

/** For commands that do with a whole cluster what they else do with one collection. */
export interface WholeSettings extends ClusterPlaceSettings {
  readonly cluster: string | undefined
}

export const wholeFlags: FlagTable<WholeSettings> = {
  cluster: {
    argument: 'URL',
    default: undefined,
    parse: String,
    help: 'instead of DIR: all shards of a cluster, which is where this NATS is: nats://HOST:4222',
  },
  ...clusterPlaceFlags,
}

/** A folder, or a cluster instead. */
export function requireOnePlace(dir: string | undefined, { cluster }: WholeSettings): void {
  if (cluster === undefined && dir === undefined)
    throw new UsageError('DIR is missing: the folder of a collection; or say --cluster URL and --name NAME.')
  if (cluster !== undefined && dir !== undefined)
    throw new UsageError(`With --cluster there is no DIR: "${dir}" is one word too many.`)
}
