/**
 * Stored copies of hostile pages in a real browser: as they are written anew, without the policy that they are served
 * under, so that what is looked at is that wall alone. Nobody is asked, nothing runs, and nothing leads away.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { decodeText } from '@comity/protocol'
import { ATTACKS } from '../../packages/repository/src/testing/attacks-fixture.ts'
import { storedCopy } from '../../packages/repository/src/copy/stored-copy.ts'
import { createSmallSite } from '../sites/small-site.ts'
import { openBrowser } from './browser.ts'

const html = 'text/html; charset=utf-8'

/** `trap` is whom nobody may ask; `window.ran` is what nobody may set. */
const hostile = (trap: string): [page: string | Uint8Array, type?: string][] => [
  [`<script>window.ran=1</script><script src="${trap}/a.js"></script><body onload="window.ran=2">`],
  [`<meta http-equiv="refresh" content="0;url=${trap}/b">`],
  [`<base href="${trap}/"><img src=c><link rel=stylesheet href=d><script src=e></script><a href=f>lead</a>`],
  [`<img srcset="${trap}/g 1x, ${trap}/h 2x"><picture><source srcset="${trap}/i"><img src="${trap}/j"></picture>`],
  [
    `<style>@import "${trap}/k";@\\69mport url(${trap}/l);body{background:u\\72l(${trap}/m)}</style><p style="background:url(${trap}/n)">`,
  ],
  [
    `<style>p{background:image-set("${trap}/o" 1x)}@font-face{font-family:x;src:url(${trap}/p)}p{font-family:x}</style><p>x`,
  ],
  [`<style>a{content:"</style><img src=${trap}/q onerror=window.ran=3>"}</style>`],
  [
    `<svg><style><img src=${trap}/r onerror=window.ran=4></style></svg><math><mtext><style><img src onerror=window.ran=5></style></mtext></math>`,
  ],
  [
    `<svg onload=window.ran=6><image href="${trap}/s"/><use href="${trap}/t#u"/><feImage href="${trap}/v"/><script>window.ran=7</script></svg>`,
  ],
  [
    `<svg><a><animate attributeName=href to=javascript:window.ran=8 /><text y=20>x</text></a><set attributeName=onclick to=window.ran=9 /></svg>`,
  ],
  [`<svg><rect width=9 height=9 fill="url(${trap}/w)" filter="u\\72l(${trap}/x)" mask="url(${trap}/x2#m)"/></svg>`],
  [
    `<iframe src="${trap}/y"></iframe><iframe srcdoc="<script>top.ran=10</script>"></iframe><object data="${trap}/z"></object><embed src="${trap}/A">`,
  ],
  [
    `<link rel=preconnect href="${trap}"><link rel=dns-prefetch href="${trap}"><link rel=prefetch href="${trap}/B"><link rel=modulepreload href="${trap}/C">`,
  ],
  [
    `<video src="${trap}/D" poster="${trap}/E" autoplay></video><audio src="${trap}/F" autoplay></audio><track src="${trap}/G">`,
  ],
  [
    `<form action="${trap}/H"><input autofocus onfocus=window.ran=11><button formaction="${trap}/I">go</button></form><input type=image src="${trap}/J">`,
  ],
  [
    `<a href="javascript:window.ran=12" ping="${trap}/K">x</a><a href="data:text/html,<script>top.ran=13</script>">y</a><body background="${trap}/L">`,
  ],
  [
    `<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='${trap}/M'/><script>top.ran=14</script></svg>">`,
  ],
  [
    `<p style="background:url(&quot;data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='${trap}/N'/></svg>&quot;)">x`,
  ],
  [`<!--><script>window.ran=15</script>--><!-- --!><img src=${trap}/O><![CDATA[<script>window.ran=16</script>]]>`],
  [`<noscript><img src="${trap}/P"></noscript><noscript><p title="</noscript><img src=x onerror=window.ran=17>">`],
  [
    `<template><img src="${trap}/Q"></template><div><template shadowrootmode=open><img src="${trap}/R" onerror=window.ran=18></template></div>`,
  ],
  [
    `<textarea><img src=${trap}/S></textarea><title><img src=${trap}/T></title><xmp><img src=${trap}/U></xmp><plaintext><img src=${trap}/V>`,
  ],
  [`<script type=speculationrules>{"prefetch":[{"urls":["${trap}/W"]}]}</script><script type=importmap>{}</script>`],
  [
    `<p title='"><img src=${trap}/X onerror=window.ran=19>' class="&quot;&gt;&lt;img src=${trap}/Y&gt;">x<table background=${trap}/Z>`,
  ],
  ['+ADw-script+AD4-window.ran=20+ADw-/script+AD4-', 'text/html; charset=utf-7'],
  ['<meta charset=utf-7>+ADw-script+AD4-window.ran=21+ADw-/script+AD4-', 'text/html'],
  [Buffer.from('\x1b$B<\x1b(Bscript>window.ran=22</script>\x1b(J\\"', 'latin1'), 'text/html; charset=iso-2022-jp'],
  [Buffer.from(`\ufeff<img src="${trap}/0" onerror="window.ran=23">`, 'utf16le'), 'text/html; charset=utf-8'],
  [`\0<\0img src=${trap}/1><im\0g src=${trap}/2><a\0 href=x><\u0000script>window.ran=24</script>`],
  [`${'<div>'.repeat(3_000)}<img src=${trap}/3>${'<b><i>'.repeat(2_000)}`],
  ...ATTACKS.map((attack): [string] => [attack.replaceAll('https://evil.example', trap).toWellFormed()]),
]

test('hostile pages, written anew: nobody is asked and nothing runs, even with no policy to stop it', async (t) => {
  const browser = await openBrowser(t)
  if (browser === undefined) return
  await using trap = await createSmallSite({}, '127.0.70.9')
  const pages = hostile(trap.origin)
  const place = { url: 'https://a.example/', linkTo: (url: string): string => `/led?${encodeURIComponent(url)}` }
  const server = createServer((request, response) => {
    // What is asked for besides, such as an icon, is nothing.
    const [page, type = html] = pages[Number(request.url?.slice(1))] ?? ['']
    const { text } = decodeText(Buffer.from(page as string), type)
    void storedCopy(text, place, async () => undefined).then((copy) =>
      response.writeHead(200, { 'Content-Type': html }).end(copy),
    )
  })
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const page = await browser.newPage()
  const asked: string[] = []
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) asked.push(request.url())
  })
  for (const i of pages.keys()) {
    asked.length = 0
    await page.goto(`${base}/${i}`)
    assert.equal(await page.evaluate('window.ran'), undefined, `page ${i} ran`)
    const links = (await page.evaluate(
      `[...document.querySelectorAll('[href]')].map((one) => one.getAttribute('href'))`,
    )) as string[]
    for (const link of links) assert.match(link, /^(?:\/led\?|#)/, `page ${i} leads away`)
    const foreign = asked.filter((url) => url !== `${base}/${i}` && url !== `${base}/favicon.ico`)
    assert.deepEqual(foreign, [], `page ${i} asked`)
  }
  assert.deepEqual([trap.connections, trap.asked], [0, []], 'nobody was asked')
})
