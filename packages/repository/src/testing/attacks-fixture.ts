/**
 * Attacks, for tests: what a hostile page would put into its title, its text, its URL or its headers, and models of
 * every page that hold nothing else. Whatever runs sets `window.ran`; whatever loads asks `evil.example`.
 */
import type { PageModels } from '../model/page-models.ts'

const RUN = 'window.ran=1'

export const ATTACKS: readonly string[] = [
  `<script>${RUN}</script>`,
  `</title><script>${RUN}</script>`,
  `</textarea></noscript></style></script><script>${RUN}</script>`,
  `"><img src=x onerror=${RUN}>`,
  `' onmouseover='${RUN}' autofocus onfocus='${RUN}' x='`,
  `" autofocus onfocus="${RUN}" x="`,
  '` onerror=window.ran=1 `',
  `<svg onload=${RUN}><circle/></svg>`,
  `</svg><iframe srcdoc="<script>parent.ran=1</script>">`,
  `<math><mtext><style><img src onerror=${RUN}></style></mtext></math>`,
  `<img src="https://evil.example/pixel.gif">`,
  `<link rel=stylesheet href=https://evil.example/a.css>`,
  `<meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `<base href="https://evil.example/">`,
  `<form action="https://evil.example/"><input name=q><button>`,
  `<style>@import "https://evil.example/a.css"; body { display: none }</style>`,
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}//https://`,
  `java\tscript:${RUN}`,
  `\u0001javascript:${RUN}`,
  `data:text/html,<script>${RUN}</script>`,
  `vbscript:msgbox(1)`,
  `//evil.example/`,
  `/\\evil.example/`,
  `/\t/evil.example/`,
  `https://good.example@evil.example/"onclick="${RUN}`,
  `https://a.example/'onclick='${RUN}`,
  `https://a.example/<script>${RUN}</script>?q="><script>${RUN}</script>`,
  '&lt;script&gt;&#60;script&#62;&quot;&#x22;&amp;lt;',
  '<!-- --><![CDATA[ ]]><?xml ?>',
  `\u202e\u2067gnp.exe <\u202dscript>\u2069`,
  `\ud800<script>${RUN}</script>\udfff\u0000\u0008\u007f`,
  `${'<b>'.repeat(400)}${'('.repeat(400)}`,
  'ﷺ'.repeat(60) + '\u0301'.repeat(200),
  '{{constructor.constructor("window.ran=1")()}} ${window.ran=1} <%= 1 %>',
  '+ADw-script+AD4-window.ran=1+ADw-/script+AD4-',
  '__proto__',
  'constructor',
  '',
  ' \n\t ',
]

/** Words that the server itself chooses: no stranger reaches them. */
const OURS: ReadonlySet<string> = new Set(['kind', 'sort', 'rank'])

/** The model with every word that may come from a stranger replaced by an attack, each by the next one after `first`. */
export function hostile<Model extends PageModels[keyof PageModels]>(model: Model, first: number): Model {
  let next = first
  const attack = (): string => ATTACKS[next++ % ATTACKS.length]!
  const replaced = (value: unknown, name: string): unknown => {
    if (typeof value === 'string') return OURS.has(name) ? value : attack()
    if (Array.isArray(value)) return value.map((one) => replaced(one, ''))
    if (typeof value !== 'object' || value === null) return value
    const isCounts = name === 'outcomes' || name === 'errors'
    const entries = Object.entries(value).map(([key, one]) => [isCounts ? attack() : key, replaced(one, key)] as const)
    return Object.fromEntries(entries)
  }
  // The shape stays what it was: only strings become other strings.
  return replaced(model, '') as Model
}
