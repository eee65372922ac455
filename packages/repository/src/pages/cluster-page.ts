/** Cluster page: what `comity cluster status` says, for people: who has which shard, how far each is, and what nobody has. */
import { counted, formatBytes, formatCount, formatDuration } from '../client/figures.js'
import { foreign } from '../html/foreign-text.ts'
import { attributes, html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { WholeMachine, WholeModel, WholeShard } from '../model/models.ts'
import { moment } from '../html/moment.ts'
import { renderShell } from '../html/page-shell.ts'

export function renderClusterPage(model: WholeModel): string {
  const { cluster, shards, machines, takeOverAfterMs } = model
  return renderShell({
    title: cluster,
    place: 'cluster',
    extent: 'cluster',
    isWide: true,
    refreshSeconds: 5,
    main: html`<h1>Cluster ${foreign(cluster, 60)}</h1>
      <p class="lead">${leadOf(model)}</p>
      ${absent(machines)} ${orphans(shards, takeOverAfterMs)}
      <section>
        <h2>Machines</h2>
        ${machines.length === 0 ? html`<p class="none">None has joined yet.</p>` : table('Machines', 'Machine', MACHINE_COLUMNS, machines, ({ id }) => html`${foreign(id, 60)}`)}
      </section>
      <section>
        <h2>Shards</h2>
        ${table('Shards', 'Shard', SHARD_COLUMNS, shards, ({ shard }) => html`${shard}`)}
      </section>`,
  })
}

function leadOf({ job, machines, shards, leaseMs }: WholeModel): Html {
  const crawl =
    job === undefined
      ? html`Nothing to crawl yet.`
      : html`Crawl ${job.number} ${job.state === 'running' ? 'is running' : 'has ended'}, from
        ${counted(job.seeds, 'start page')}.`
  return html`${crawl} ${counted(shards.length, 'shard')} on ${counted(machines.length, 'machine')}; a lease is
  ${formatDuration(leaseMs)}.`
}

/** What somebody should look at comes before the tables. */
function absent(machines: readonly WholeMachine[]): Html | false {
  const silent = machines.filter(({ answers }) => !answers)
  return (
    silent.length > 0 &&
    html`<p class="note">
      ${counted(silent.length, 'machine')} ${silent.length === 1 ? 'does' : 'do'} not answer:
      ${silent.map(({ id }, i) => [i > 0 && ', ', foreign(id, 60)])}. When one does not come back, say so:
      <code>comity cluster leave URL MACHINE</code>.
    </p>`
  )
}

function orphans(shards: readonly WholeShard[], takeOverAfterMs: number): Html | false {
  const away = shards.filter(({ owner }) => owner === undefined)
  return (
    away.length > 0 &&
    html`<p class="note">
      ${counted(away.length, 'shard')} ${away.length === 1 ? 'is' : 'are'} nobody’s now, and missing in searches:
      another machine goes on with ${away.length === 1 ? 'it' : 'them'} ${formatDuration(takeOverAfterMs)} after the
      owner was heard last.
    </p>`
  )
}

interface Column<Row> {
  readonly name: string
  readonly isNumber?: boolean
  /** Takes a line of its own where the window is narrow. */
  readonly isLong?: boolean
  readonly cell: (row: Row) => Html
}

const MACHINE_COLUMNS: readonly Column<WholeMachine>[] = [
  { name: 'Host', isLong: true, cell: ({ host }) => html`${host === '' ? 'unknown' : foreign(host, 60)}` },
  {
    name: 'State',
    isLong: true,
    cell: ({ answers, draining }) => html`${!answers ? 'does not answer' : draining ? 'hands over' : 'at work'}`,
  },
  { name: 'Keepers', cell: ({ keepers }) => html`${keepers.length === 0 ? 'none' : keepers.join(' ')}` },
  { name: 'Addresses lent', isNumber: true, cell: ({ lent }) => html`${formatCount(lent)}` },
]

const SHARD_COLUMNS: readonly Column<WholeShard>[] = [
  {
    name: 'Machine',
    isLong: true,
    cell: ({ owner }) => (owner === undefined ? html`nobody` : html`${foreign(owner, 60)}`),
  },
  { name: 'Epoch', isNumber: true, cell: ({ epoch }) => html`${formatCount(epoch)}` },
  { name: 'Pages', isNumber: true, cell: ({ pages }) => html`${formatCount(pages)}` },
  { name: 'Waiting', isNumber: true, cell: ({ waiting }) => html`${formatCount(waiting)}` },
  { name: 'To take', isNumber: true, cell: ({ lag }) => html`${formatCount(lag)}` },
  {
    name: 'Newest copy',
    isLong: true,
    cell: ({ copy }) =>
      copy === undefined ? html`none` : html`${moment(Date.parse(copy.at))}, ${formatBytes(copy.bytes)}`,
  },
]

function table<Row>(
  caption: string,
  head: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  nameOf: (row: Row) => Html,
): Html {
  return html`<table class="cards">
    <caption class="unseen">
      ${caption}
    </caption>
    <thead>
      <tr>
        <th scope="col">${head}</th>
        ${columns.map((column) => html`<th scope="col" ${shapeOf(column)}>${column.name}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (row) =>
          html`<tr>
            <th scope="row">${nameOf(row)}</th>
            ${columns.map((column) => html`<td data-name="${column.name}" ${shapeOf(column)}>${column.cell(row)}</td>`)}
          </tr> `,
      )}
    </tbody>
  </table>`
}

const shapeOf = ({ isNumber, isLong }: Pick<Column<never>, 'isNumber' | 'isLong'>): ReturnType<typeof attributes> =>
  attributes({ class: isLong === true ? 'all' : isNumber === true ? 'right' : undefined })
