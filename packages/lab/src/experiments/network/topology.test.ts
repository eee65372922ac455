import assert from 'node:assert/strict'
import { test } from 'node:test'
import { networkDefaults } from './settings.ts'
import { transitStub } from './topology.ts'
import type { Topology } from './topology.ts'

function hops({ nodes, route, linkTo }: Topology, from: number, to: number): number {
  let count = 0
  for (let at = from; at !== to; at = linkTo[route[at * nodes + to]!]!) {
    count++
    assert.ok(count <= nodes, `no way from ${from} to ${to}`)
  }
  return count
}

test('the network of the paper: 4 cores, 12 gateways, 20 servers, 60 clients, 4 crawlers, all within reach', () => {
  const topology = transitStub(networkDefaults)
  assert.equal(topology.nodes, 100)
  assert.deepEqual(
    [topology.gateways, topology.servers, topology.clients, topology.crawlers].map(({ length }) => length),
    [12, 20, 60, 4],
  )
  // Six cables between cores, one for each gateway and each site, both ways.
  assert.equal(topology.linkTo.length, 2 * (6 + 12 + 84))
  for (let from = 0; from < topology.nodes; from++)
    for (let to = 0; to < topology.nodes; to++) assert.ok(hops(topology, from, to) <= 5)
})

test('servers lie behind the first gateways and clients behind the others', () => {
  const { servers, clients, gateways, gatewayOf } = transitStub(networkDefaults)
  const behind = (sites: readonly number[]): number[] =>
    [...new Set(sites.map((site) => gatewayOf[site]!))].toSorted((a, b) => a - b)
  assert.deepEqual(behind(servers), gateways.slice(0, 3))
  assert.deepEqual(behind(clients), gateways.slice(3))
})

test('where servers are behind every gateway so are clients', () => {
  const { clients, gateways, gatewayOf } = transitStub({ ...networkDefaults, serverStubs: 12 })
  assert.equal(new Set(clients.map((site) => gatewayOf[site])).size, gateways.length)
})
