/** The rows of 002 Table 6.2, as they are printed. */

/** A cost as the paper writes it, or none. */
export type Sign = '++' | '+' | '' | '−' | '−−'

export interface SchemeRow {
  readonly name: string
  readonly network: Sign
  readonly server: Sign
  readonly crawler: Sign
  readonly freshness: 'Normal' | 'High'
}

function row(name: string, network: Sign, server: Sign, crawler: Sign, freshness: SchemeRow['freshness']): SchemeRow {
  return { name, network, server, crawler, freshness }
}

export const NO_COOPERATION: SchemeRow = row('No cooperation', '', '', '', 'Normal')

type Rows<Name extends string> = Readonly<Record<Name, SchemeRow>>

// oxfmt-ignore
export const SENT: Rows<'metaData' | 'differences' | 'pages' | 'batch' | 'site' | 'agent'> = {
  metaData:    row('Send meta-data',     '+',  '+',  '',  'High'),
  differences: row('Send differences',   '−−', '++', '+', 'High'),
  pages:       row('Send changed pages', '−',  '+',  '',  'High'),
  batch:       row('Send batch update',  '+',  '+',  '',  'High'),
  site:        row('Send entire site',   '++', '+',  '',  'High'),
  agent:       row('Remote agent',       '−−', '++', '−', 'High'),
}

// oxfmt-ignore
export const SERVED: Rows<'metaData' | 'differences' | 'ifModified' | 'manyPages' | 'entireSite' | 'filter'> = {
  metaData:    row('Serve meta-data',           '+',  '+',  '',  'Normal'),
  differences: row('Serve differences',         '−−', '++', '+', 'Normal'),
  ifModified:  row('Only if modified',          '−',  '',   '',  'Normal'),
  manyPages:   row('Many pages in one request', '−',  '',   '',  'Normal'),
  entireSite:  row('Entire site compressed',    '++', '+',  '',  'Normal'),
  filter:      row('Filtering interface',       '−−', '++', '−', 'High'),
}

/** In the paper's order. */
export const SCHEME_ROWS: readonly SchemeRow[] = [...Object.values(SENT), ...Object.values(SERVED)]
