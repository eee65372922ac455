/**
 * Copy page: a stored copy in a frame of its own, and above it what it is: when and how it was learnt, the other versions,
 * and the way back. What is in the frame can neither see nor change anything around it.
 */
import { ownPath } from '../html/address.ts'
import { counted, formatBytes } from '../client/figures.js'
import { sourceWords } from './capture-table.ts'
import { foreign, outward, readableUrl, siteLink, titleOf } from '../html/foreign-text.ts'
import { attributes, html } from '../html/html.ts'
import type { Html } from '../html/html.ts'
import type { CopyModel, CopyVersion, HeldCopy } from '../model/models.ts'
import { moment } from '../html/moment.ts'
import { renderShell } from '../html/page-shell.ts'

export function renderCopyPage(copy: CopyModel): string {
  return copy.kind === 'held' ? renderHeld(copy) : renderAbsent(copy)
}

function renderHeld(copy: HeldCopy): string {
  const { key, shown, fragment } = copy
  const frame = ownPath('/page/view', { key, at: shown.at }) + (/^#[^\s]{1,500}$/.test(fragment) ? fragment : '')
  return renderShell({
    title: `Copy of ${titleOf(copy)}`,
    isFull: true,
    main: html`<section class="copy-bar" aria-label="About this copy">
        <h1>${foreign(titleOf(copy), 120)}</h1>
        <p>
          A stored copy, as it was on <b>${moment(shown.at)}</b>:
          ${sourceWords(shown.source)}${shown.scheme !== undefined && html`, ${foreign(shown.scheme, 40)}`}.
          ${copy.askedFor !== undefined && html`<span class="quiet">${foreign(readableUrl(copy.askedFor), 100)} led on to it.</span>`}
        </p>
        <p class="address">
          ${outward(copy.url, html`${foreign(readableUrl(copy.url), 160)}<span class="unseen">, at its own site</span>`)}
        </p>
        <ul class="copy-ways">
          <li><a href="${ownPath('/page', { key })}">The page’s story</a></li>
          <li>${siteLink(copy.site)}</li>
          ${step('Older', copy.key, copy.older)}${step('Newer', copy.key, copy.newer)}
          <li>${versionList(copy)}</li>
        </ul>
      </section>
      ${copy.isFile ? fileNote(frame, shown) : theFrame(frame)}`,
  })
}

const theFrame = (frame: string): Html =>
  html`<iframe
    class="copy"
    title="The stored copy"
    sandbox="allow-top-navigation-by-user-activation"
    referrerpolicy="no-referrer"
    src="${frame}"
  ></iframe>`

const fileNote = (file: string, { bytes }: CopyVersion): Html =>
  html`<p class="note copy-note">
    It is neither a page nor text, so it is not shown here.
    <a href="${file}">Keep it as a file</a> (${formatBytes(bytes)}); whoever wrote it is a stranger.
  </p>`

const step = (word: string, key: number, version: CopyVersion | undefined): Html | false =>
  version !== undefined &&
  html`<li>
    <a href="${ownPath('/page/copy', { key, near: version.at })}"
      >${word}<span class="unseen"> version, of ${moment(version.at)}</span></a
    >
  </li>`

function versionList({ key, versions, more, shown }: HeldCopy): Html {
  const count = versions.length + more
  if (count === 1) return html`<span class="quiet">the only version held</span>`
  const newestFirst = versions.toReversed()
  return html`<details>
    <summary>${counted(count, 'version')} held</summary>
    <ol class="versions">
      ${newestFirst.map((version, i) => {
        const before = newestFirst[i + 1]
        const isSame = before !== undefined && before.digest !== undefined && before.digest === version.digest
        const href = ownPath('/page/copy', { key, near: version.at })
        const current = attributes({ 'aria-current': version.at === shown.at ? 'true' : undefined })
        return html`<li>
          <a href="${href}" ${current}>${moment(version.at)}</a>
          <span class="quiet"
            >${isSame ? 'the same' : before === undefined && more === 0 ? 'first' : 'new content'}</span
          >
        </li> `
      })}
    </ol>
    ${more > 0 && html`<p class="quiet">${counted(more, 'older one')} not listed.</p>`}
  </details>`
}

type Absent = Extract<CopyModel, { kind: 'absent' }>

const WHY: { readonly [Why in Absent['why']]: string } = {
  unknown: 'Nothing is known of it here: no page that was fetched links there, or what is not a page was left out.',
  'not-visited': 'Pages that are held link to it, and it was not visited.',
  'no-content': 'It was visited, and nothing of what it said is held.',
  noarchive: 'It asks not to be shown from an archive (noarchive), so its copy is not shown here.',
}

function renderAbsent({ key, url, title, why }: Absent): string {
  const name = titleOf({ title: title ?? '', url })
  return renderShell({
    title: 'This page is not held',
    main: html`<p class="eyebrow">Stored copy</p>
      <h1>${why === 'noarchive' ? 'The copy of this page is not shown' : 'This page is not held'}</h1>
      <p class="address">${foreign(name, 200)}</p>
      <p>${WHY[why]}</p>
      <ul>
        ${key !== undefined && html`<li><a href="${ownPath('/page', { key })}">What is known of it</a></li>`}
        <li>${outward(url, html`Ask the site itself: ${foreign(readableUrl(url), 160)}`)}</li>
        <li><a href="/">Search what is held</a></li>
      </ul>`,
  })
}
