/** Tables of programs that gateways run: who runs what, and which versions are nominated for whom. */
import { counted, formatCount, formatShare } from '../client/figures.js'
import { foreign } from '../html/foreign-text.ts'
import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import { moment } from '../html/moment.ts'
import type { ProgramsView, ProgramUseRow, ProgramVersionRow } from '@comity/receiver'

/** `view`: or what is wrong with the operator's file. */
export function programTables(view: ProgramsView | string): Html {
  if (typeof view === 'string') return html`<p>The file that lists them is not used: ${view}.</p>`
  if (view.versions.length === 0) return html`<p>None is nominated.</p>`
  return html`${useTable(view.uses)} ${versionTable(view.versions)}`
}

function useTable(uses: readonly ProgramUseRow[]): Html {
  if (uses.length === 0) return html`<p>No gateway has asked for one yet.</p>`
  return html`<table class="cards" id="program-uses">
    <caption class="unseen">
      Which gateway runs what
    </caption>
    <thead>
      <tr>
        <th scope="col">Gateway</th>
        <th scope="col">Program</th>
        <th scope="col">Runs</th>
        <th scope="col">Is to run</th>
        <th scope="col" class="right">Its faults there</th>
        <th scope="col">Asked last</th>
      </tr>
    </thead>
    <tbody>
      ${uses.map(
        (use) =>
          html`<tr>
            <th scope="row">${foreign(use.gateway, 64)}</th>
            <td data-name="Program">${foreign(use.program, 64)}</td>
            <td data-name="Runs">${use.runs === undefined ? 'none yet' : foreign(use.runs, 64)}</td>
            <td data-name="Is to run">${foreign(use.nominated, 64)}</td>
            <td data-name="Its faults there" class="right">${formatCount(use.faults)}</td>
            <td data-name="Asked last">${moment(use.askedAt)}</td>
          </tr> `,
      )}
    </tbody>
  </table>`
}

function versionTable(versions: readonly ProgramVersionRow[]): Html {
  return html`<table class="cards" id="program-versions">
    <caption class="unseen">
      Versions of programs, and for whom they are
    </caption>
    <thead>
      <tr>
        <th scope="col">Program</th>
        <th scope="col">Version</th>
        <th scope="col">For</th>
        <th scope="col" class="right">Running</th>
        <th scope="col" class="right">Faults</th>
        <th scope="col">Withdrawn</th>
      </tr>
    </thead>
    <tbody>
      ${versions.map(
        (one) =>
          html`<tr>
            <th scope="row">${foreign(one.program, 64)}</th>
            <td data-name="Version">${foreign(one.version, 64)}</td>
            <td data-name="For">${nominees(one)}</td>
            <td data-name="Running" class="right">${formatCount(one.running)}</td>
            <td data-name="Faults" class="right">${formatCount(one.faults)} of ${formatCount(one.maxFaults)}</td>
            <td data-name="Withdrawn">
              ${one.withdrawnAt === undefined ? 'no' : html`${moment(one.withdrawnAt)}: ${foreign(one.withdrawn ?? '', 200)}`}
            </td>
          </tr> `,
      )}
    </tbody>
  </table>`
}

/** Whom a version is for, in a few words. */
function nominees({ share, gateways, licensed }: ProgramVersionRow): string {
  const named = gateways.length > 3 ? counted(gateways.length, 'gateway') : gateways.join(', ')
  const all = licensed === undefined ? 'all' : counted(licensed.length, 'licensed gateway')
  const part = share === 1 ? all : share === 0 ? '' : `${formatShare(share)} of ${all}`
  return [named, part].filter((words) => words !== '').join(', and ') || 'nobody'
}
