/**
 * Transit-stub network (001 §V): core routers that are all linked with each other, gateways on them, one for each stub, and
 * sites behind the gateways.
 *
 *   server ─┐                                     ┌─ client
 *   server ─┴─ gateway ─── core ═══ core ─── gateway ─┼─ client
 *                            ╚═══ … ═══╝              └─ crawler, or the repository
 *
 * Servers lie behind the first gateways, as many as `serverStubs`, and all else behind the others, in turn; gateways hang on
 * the cores in turn. Where servers are behind every gateway, so is all else. A link is one way: two make a cable.
 */
import type { NetworkSettings } from './settings.ts'

export interface Topology {
  readonly nodes: number
  readonly gateways: readonly number[]
  readonly servers: readonly number[]
  readonly clients: readonly number[]
  readonly crawlers: readonly number[]
  /** The last site of the crawlers when routers index. */
  readonly repository: number
  /** The gateway of a site, by node; of others -1. */
  readonly gatewayOf: Int32Array
  /** Where each link leads to, and what it carries in a tick. */
  readonly linkTo: Int32Array
  readonly linkRate: Float64Array
  /** The link that leads from a node towards another: `[from * nodes + to]`. */
  readonly route: Int32Array
}

type Sizes = Pick<NetworkSettings, 'coreRouters' | 'gateways' | 'servers' | 'clients' | 'crawlers' | 'serverStubs'> &
  Pick<NetworkSettings, 'coreRate' | 'gatewayRate' | 'serverRate' | 'siteRate'>

export function transitStub(sizes: Sizes): Topology {
  const { coreRouters, serverStubs, coreRate, gatewayRate, serverRate, siteRate } = sizes
  const links: { from: number; to: number; rate: number }[] = []
  const cable = (one: number, other: number, rate: number): void => {
    links.push({ from: one, to: other, rate }, { from: other, to: one, rate })
  }
  let nodes = 0
  const some = (count: number): number[] => Array.from({ length: count }, () => nodes++)
  const cores = some(coreRouters)
  const gateways = some(sizes.gateways)
  const [servers, clients, crawlers] = [some(sizes.servers), some(sizes.clients), some(sizes.crawlers)]
  const gatewayOf = new Int32Array(nodes).fill(-1)
  cores.forEach((core, at) => cores.slice(at + 1).forEach((other) => cable(core, other, coreRate)))
  gateways.forEach((gateway, at) => cable(gateway, cores[at % coreRouters]!, gatewayRate))
  const settle = (sites: readonly number[], stubs: readonly number[], rate: number): void =>
    sites.forEach((site, at) => {
      const gateway = stubs[at % stubs.length]!
      gatewayOf[site] = gateway
      cable(site, gateway, rate)
    })
  const others = serverStubs < gateways.length ? gateways.slice(serverStubs) : gateways
  settle(servers, gateways.slice(0, serverStubs), serverRate)
  settle(clients, others, siteRate)
  settle(crawlers, others, siteRate)
  return {
    nodes,
    gateways,
    servers,
    clients,
    crawlers,
    repository: crawlers.at(-1)!,
    gatewayOf,
    linkTo: Int32Array.from(links, ({ to }) => to),
    linkRate: Float64Array.from(links, ({ rate }) => rate),
    route: routesOf(nodes, links),
  }
}

/** Fewest links first, breadth first from each goal; of equals the link that was laid first. */
function routesOf(nodes: number, links: readonly { readonly from: number; readonly to: number }[]): Int32Array {
  const route = new Int32Array(nodes * nodes).fill(-1)
  const into = Map.groupBy(
    links.map(({ from, to }, link) => ({ from, to, link })),
    ({ to }) => to,
  )
  for (let goal = 0; goal < nodes; goal++) {
    const queue = [goal]
    const isReached = new Uint8Array(nodes)
    isReached[goal] = 1
    for (const node of queue) {
      for (const { from, link } of into.get(node) ?? []) {
        if (isReached[from] === 1) continue
        isReached[from] = 1
        route[from * nodes + goal] = link
        queue.push(from)
      }
    }
  }
  return route
}
