/**
 * Report style: the one style sheet of the report. No font, image or script is loaded: the file can be mailed, printed
 * and opened in ten years. Colours follow the reader's light or dark setting.
 */
import { inks } from './palette.ts'

const inkVariables = (shade: 'light' | 'dark'): string => inks.map((ink, i) => `--ink-${i}: ${ink[shade]};`).join(' ')

const light = `--paper: #ffffff; --card: #f6f7f9; --text: #1b1f24; --quiet: #5c6570; --grid: #e6e8eb; --axis: #9aa3ad;
  --rule: #d5d9de; --link: #2d50ac; --good: #10694f; --bad: #a8230f; --open: #5c6570; ${inkVariables('light')}`
const dark = `--paper: #14171c; --card: #1c2027; --text: #e6e9ed; --quiet: #9ca6b2; --grid: #2a3038; --axis: #5e6873;
  --rule: #343b45; --link: #8db6ff; --good: #68e8cd; --bad: #ff9c85; --open: #9ca6b2; ${inkVariables('dark')}`

export const stylesheet: string = `
:root { color-scheme: light dark; ${light} }
@media (prefers-color-scheme: dark) { :root { ${dark} } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 2.5rem 1.5rem 5rem; overflow-wrap: break-word; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; letter-spacing: -.015em; text-wrap: balance; }
h2 { font-size: 1.45rem; line-height: 1.25; margin: 0 0 .5rem; letter-spacing: -.01em; }
h3 { font-size: 1.05rem; line-height: 1.35; margin: 0; }
h4 { font-size: .78rem; margin: 0 0 .3rem; color: var(--quiet); font-weight: 600; }
p { margin: 0 0 .8rem; max-width: 44rem; }
a { color: var(--link); text-underline-offset: .15em; text-decoration-thickness: .06em; }
section { margin-top: 3.5rem; }
section > h3 { margin-bottom: .4rem; }
section section, .pair { margin-top: 2.5rem; }
.quiet, .ref { color: var(--quiet); }
.small { font-size: .85rem; }
.ref { font-size: .85rem; font-weight: 400; }
.lead { font-size: 1.1rem; }
.sums { display: flex; flex-wrap: wrap; gap: .75rem 2rem; list-style: none; margin: 1.5rem 0 0; padding: 0; }
.sums b { font-size: 1.7rem; font-weight: 650; margin-right: .35rem; font-variant-numeric: tabular-nums; }
nav { margin-top: 2rem; padding: 1rem 1.25rem; background: var(--card); border-radius: .5rem; }
nav ol { margin: 0; padding-left: 1.25rem; columns: 2 24rem; column-gap: 2.5rem; }
nav li { break-inside: avoid; }
nav ul { font-size: .9rem; padding-left: 0; list-style: none; margin: 0; }
.papers { list-style: none; margin: 0; padding: 0; color: var(--quiet); }
nav > ol > li { margin-bottom: .4rem; }
dl.findings { margin: 0; display: grid; gap: 1.1rem 2.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
dl.findings dt { font-weight: 650; }
dl.findings dd { margin: .15rem 0 0; max-width: 44rem; }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; line-height: 1.45; }
th, td { text-align: left; vertical-align: top; padding: .45rem .9rem .45rem 0; border-bottom: 1px solid var(--rule); }
th:last-child, td:last-child { padding-right: 0; }
thead th { font-size: .78rem; font-weight: 600; color: var(--quiet); vertical-align: bottom; border-bottom-color: var(--axis); }
.right { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
table.data { width: auto; min-width: min(100%, 26rem); }
table.claims { min-width: 50rem; }
table.claims th[scope=rowgroup] { font-weight: 400; padding-top: 1.1rem; border-bottom: 0; }
table.claims th[scope=rowgroup] b { font-variant-numeric: tabular-nums; margin-right: .5rem; }
table.claims td:first-child { width: 13%; padding-left: .9rem; }
table.claims tr.part th { font-weight: 400; background: var(--card); padding: .55rem .9rem; }
.part .verdict { white-space: normal; }
table.claims td.ours { width: 26%; }
table.claims td.see { width: 15%; }
.see a { display: block; }
.see a + a { margin-top: .3rem; }
.verdict { white-space: nowrap; font-weight: 600; color: var(--open); }
.verdict.holds { color: var(--good); }
.verdict.fails { color: var(--bad); }
.pair { display: grid; gap: 1.25rem 2rem; grid-template-columns: minmax(0, 1fr); }
figure { margin: 0; min-width: 0; }
figcaption { margin-top: .6rem; font-size: .9rem; line-height: 1.5; }
figcaption p { margin: 0 0 .3rem; }
.plot { display: block; width: 100%; height: auto; margin-top: .6rem; overflow: visible; }
.plot text { white-space: pre; fill: var(--quiet); }
.plot .names text { fill: color-mix(in oklab, var(--ink) 72%, var(--text)); font-weight: 600; paint-order: stroke;
  stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round; }
.narrow { display: none; }
.key { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; list-style: none; margin: .5rem 0 0; padding: 0; font-size: .82rem; }
.key svg { display: inline-block; width: 22px; height: 10px; margin-right: .4rem; vertical-align: baseline; }
aside { background: var(--card); border-radius: .5rem; padding: 1rem 1.15rem; font-size: .9rem; line-height: 1.5; align-self: start; }
aside > div + div { margin-top: 1rem; padding-top: 1rem; border-top: 1px solid var(--rule); }
aside p { margin: 0 0 .5rem; }
aside p:last-child { margin-bottom: 0; }
footer { margin-top: 4rem; border-top: 1px solid var(--rule); padding-top: 1rem; }
@media (min-width: 62rem) { .pair.both { grid-template-columns: minmax(0, 1fr) 21rem; } .pair.alone { max-width: 52rem; } }
@media (max-width: 36rem) {
  main { padding: 1.5rem 1rem 3rem; }
  h1 { font-size: 1.6rem; }
  .sums { gap: .1rem 1.5rem; }
  table.claims { min-width: 0; }
  table.claims thead { display: none; }
  table.claims :is(tbody, tr, th, td), table.claims { display: block; width: auto; }
  table.claims :is(td, td:first-child, td.ours, td.see) { border: 0; padding: 0 0 .2rem .9rem; width: auto; }
  table.claims tr + tr { border-bottom: 1px solid var(--rule); padding-bottom: .6rem; margin-bottom: .6rem; }
  .wide { display: none; }
  .narrow { display: block; }
}
@media print {
  :root { ${light} }
  body { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  nav { display: none; }
  .pair, aside, tbody { break-inside: avoid; }
  .scroll { overflow: visible; }
  table.claims { min-width: 0; }
  a { color: inherit; text-decoration: none; }
}
`
