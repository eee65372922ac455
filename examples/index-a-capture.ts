/**
 * From packets to pages: what people read of your own server, as `tcpdump -w` wrote it, becomes words for an index, without
 * a single request to the server. What is private stays out, and nothing is kept of who read what.
 *
 *   npx node examples/index-a-capture.ts capture.pcap www.example.org 192.0.2.7
 */
import { randomBytes } from 'node:crypto'
import { GatewayNode, PageTable, readCaptureFile, Rebuilder } from '@comity/gateway'
import { readShipment } from '@comity/index'

const [file = 'capture.pcap', host = 'www.example.org', server = '127.0.0.1'] = process.argv.slice(2)

// What is known of each page, so that one that passes again unchanged is not read again. `PageTableFile` keeps it on disk.
const state = {
  table: new PageTable(100_000),
  run: 'example',
  number: 0,
  commit: (n: number) => void (state.number = n),
}

const node = new GatewayNode({
  // Both must hold: whoever sends packets could name any host.
  gate: { hosts: [host], servers: [server] },
  salt: randomBytes(16),
  state,
  now: Date.now,
  // A batch is what goes to a repository; here its pages are printed.
  onBatch: ({ batch }) => {
    const shipment = readShipment(batch.postings)
    if (shipment.kind !== 'shipment') return
    for (const { url, title, links } of shipment.documents) console.log(`${url} "${title}" ${links.length} link(s)`)
  },
})

const rebuilder = new Rebuilder(node, { wants: node.wants })
await readCaptureFile(file, rebuilder)
rebuilder.end()
node.cut()

const { captures, pages, skipped } = node.figures
console.log(`${captures} exchange(s), ${pages} page(s) to index; left out: ${JSON.stringify(skipped)}`)
