/** Tables of the experiment of 000: what perfect freshness costs, how much is gained, what an image crawl wastes. */
import type { Table } from '../../report/model.ts'
import { formatQuantity } from '../../report/number.ts'
import { percent } from './answer.ts'
import { savedAt } from './curve.ts'
import { peakOf } from './freshness-claims.ts'
import type { MediaCrawl } from './media.ts'
import type { ScenarioOutcome } from './scenario.ts'

export function perfectTable(id: string, outcomes: readonly ScenarioOutcome[], deltaShare: number): Table {
  const rows = outcomes.flatMap((outcome) => {
    const { conventional, ways } = outcome.perfect
    const peak = peakOf(outcome)
    const saved = savedAt(outcome.conventional, outcome.metadata, 0.8)
    return ways.map(({ name, metadata, differences }, i) => [
      i === 0 ? outcome.name : '',
      name,
      percent(conventional.mean),
      percent(metadata.mean),
      percent(metadata.mean / conventional.mean),
      percent(differences.mean / conventional.mean),
      i === 0 ? `${percent(peak.gain)} at ${peak.bandwidth.toFixed(2)}` : '',
      i === 0 ? percent(saved) : '',
    ])
  })
  return {
    id: `${id}-perfect`,
    title: 'What it takes to have every page fresh',
    paperRef: '000 §6',
    caption:
      'Bandwidth for freshness 1.0, as a share of the repository a day, and with metadata as a share of the conventional; ' +
      `with differences a changed page costs ${percent(deltaShare)} of its size. The paper has about a fifth, a gain of up to 25 % at 0.22, and 62 %.`,
    columns: [
      { label: 'pages' },
      { label: 'metadata a day' },
      { label: 'conventional', align: 'right' },
      { label: 'metadata', align: 'right' },
      { label: 'ratio', align: 'right' },
      { label: 'with differences', align: 'right' },
      { label: 'most gained', align: 'right' },
      { label: 'saved at 80 %', align: 'right' },
    ],
    rows,
  }
}

export function mediaTable(id: string, mix: string, crawls: readonly MediaCrawl[]): Table {
  return {
    id: `${id}-media`,
    title: `All images of a site: ${mix}`,
    paperRef: '000 §4.2',
    caption: 'Through HTML every page is downloaded to find them; by metadata, the archives of their type are.',
    columns: [
      { label: 'way' },
      { label: 'requests', align: 'right' },
      { label: 'bytes', align: 'right' },
      { label: 'requests not for images', align: 'right' },
      { label: 'bytes not of images', align: 'right' },
    ],
    rows: crawls.map(({ way, requests, bytes, needlessRequests, needlessBytes }) => [
      way,
      requests,
      formatQuantity(bytes, 'bytes'),
      percent(needlessRequests),
      percent(needlessBytes),
    ]),
  }
}
