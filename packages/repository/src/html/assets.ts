/** Assets: the style sheet, the scripts and the icon, read from the files beside this one. */
import { readFileSync } from 'node:fs'
import type { Asset } from '../ports.ts'

/** Where they stand on the server. */
export const ASSETS = '/static/'

const STYLES = ['base', 'frame', 'search', 'tables', 'story', 'copy', 'live', 'freshness', 'reading', 'graph']
const SCRIPTS = [
  'search',
  'live',
  'freshness',
  'sample-stream',
  'line-chart',
  'control-panel',
  'figures',
  'schemes',
  'graph',
]

/** By name, all read at once: a few files of a few kilobytes. */
export function readAssets(): ReadonlyMap<string, Asset> {
  // In one piece, as a page is not shown before all its styles are there. Later ones may narrow what earlier ones say.
  const styles = STYLES.map((name) => read(`styles/${name}.css`)).join('')
  return new Map([
    ['comity.css', { type: 'text/css; charset=utf-8', body: squeezed(styles) }],
    ['icon.svg', { type: 'image/svg+xml', body: read('icon.svg') }],
    ...SCRIPTS.map((name): [string, Asset] => {
      return [`${name}.js`, { type: 'text/javascript; charset=utf-8', body: read(`${name}.js`) }]
    }),
  ])
}

const read = (path: string): string => readFileSync(new URL(`../client/${path}`, import.meta.url), 'utf8')

/** Without comments and indentation, which are for those who read the source. */
const squeezed = (styles: string): string => styles.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/\n\s*/g, '\n')
