/**
 * Foreign text: titles, URLs, anchors and whatever else strangers wrote, put into a page so that it stays in its place
 * for the eye too. `<bdi>` keeps a right-to-left title from turning the line around it (UAX #9), lengths are capped,
 * and where no element can stand (window title, attribute) direction marks are left out.
 */
import { ownPath, safeAddress } from './address.ts'
import { attributes, html } from './html.ts'
import type { Html } from './html.ts'
import type { PageRef } from '../model/models.ts'

const MAX_TEXT = 300

/** At most `limit` characters and a sign that there were more. */
export function cut(text: string, limit: number = MAX_TEXT): string {
  if (text.length <= limit) return text
  // Half of a surrogate pair is not a character.
  const end = /[\ud800-\udbff]/.test(text.charAt(limit - 2)) ? limit - 2 : limit - 1
  return `${text.slice(0, end)}…`
}

/** Text of a stranger as content. */
export const foreign = (text: string, limit?: number): Html => html`<bdi>${cut(text, limit)}</bdi>`

/** Text of a stranger for an attribute or the window's title. */
export const plain = (text: string, limit?: number): string =>
  cut(text.replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, ''), limit)

/** A link away from here, or the same words without one when no link may lead there. */
export function outward(url: string, content: Html = foreign(readableUrl(url))): Html {
  const href = safeAddress(url)
  if (href === undefined || !/^https?:/.test(href)) return content
  return html`<a href="${href}" rel="noreferrer nofollow">${content}</a>`
}

/** A page's own story, under its title. */
export const pageLink = (page: PageRef): Html =>
  html`<a href="${ownPath('/page', { key: page.key })}">${foreign(titleOf(page))}</a>`

export const siteLink = (origin: string): Html =>
  html`<a href="${ownPath('/site', { origin })}">${foreign(siteName(origin))}</a>`

/** Nobody can click on an empty title. */
export const titleOf = (page: Pick<PageRef, 'title' | 'url'>): string =>
  page.title.trim() === '' ? readableUrl(page.url) : page.title

/** `docs.example:8080`; the scheme only where it is not the usual one. */
export const siteName = (origin: string): string => origin.replace(/^https:\/\//, '')

/** A URL for the eye: no `https://`, percent signs decoded where that gives letters. */
export function readableUrl(url: string): string {
  const bare = url.replace(/^https?:\/\//, '').replace(/^([^/?#]+)\/$/, '$1')
  try {
    // Only what has letters of other scripts: a decoded space, slash or direction mark would lie about the URL.
    return bare.replaceAll(/(?:%[89a-f][0-9a-f])+/gi, (bytes) => {
      const text = decodeURIComponent(bytes)
      return /^[\p{L}\p{M}\p{N}]+$/u.test(text) ? text : bytes
    })
  } catch {
    return bare
  }
}

/** The `lang` of an element that holds a stranger's words; only languages that exist, as others confuse readers aloud. */
export function languageAttributes(language: string | undefined): Html {
  return attributes({ lang: languageName(language) === undefined ? undefined : language })
}

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })

/** `German` for `de`, `unknown` where nobody could tell; undefined for what is no language. */
export function languageName(language: string | undefined): string | undefined {
  if (language === 'und') return 'unknown'
  if (language === undefined || !/^[a-z]{2,3}(?:-[a-z0-9]{2,8}){0,2}$/i.test(language)) return undefined
  return names.of(language)
}
