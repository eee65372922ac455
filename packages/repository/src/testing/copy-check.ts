/** Copy check, for tests: what of a copy is not as every copy must be, whatever page it was made of. */
import { isKeptAttribute, isKeptElement } from '../copy/kept-markup.ts'

const TAG = /<(\/?)([a-z][a-z0-9-]*)((?: [a-z][\w:.-]*="[^"<]*")*)>/y
const DOCTYPE = /<!doctype\s[^<>]*>/iy
const OURS: ReadonlySet<string> = new Set('style href src target rel background poster media content name'.split(' '))
const NEVER =
  /^(?:script|iframe|frame|frameset|object|embed|applet|link|base|portal|fencedframe|foreignobject|animate|set)$/
/** An address of this server, a part of the page, or what the page brings along. */
const HARMLESS_ADDRESS = /^(?:\/page\/copy\?|#|data:image\/(?:png|jpe?g|gif|webp|avif|bmp|x-icon);base64,)/

export function copyFaults(copy: string): string[] {
  const faults: string[] = []
  for (let at = copy.indexOf('<'); at !== -1; at = copy.indexOf('<', at + 1)) {
    TAG.lastIndex = DOCTYPE.lastIndex = at
    const tag = TAG.exec(copy)
    if (tag !== null) faults.push(...tagFaults(tag[2]!, tag[3]!))
    else if (DOCTYPE.exec(copy) === null && ![' ', '='].includes(copy[at + 1] ?? ''))
      faults.push(`no tag of ours: ${copy.slice(at, at + 60)}`)
  }
  if (copy.includes('\0')) faults.push('a zero character')
  return faults
}

function tagFaults(name: string, attributes: string): string[] {
  const faults = isKeptElement(name) || name === 'style' || name === 'meta' ? [] : [`<${name}>`]
  if (NEVER.test(name)) faults.push(`<${name}>`)
  for (const [, attribute = '', written = ''] of attributes.matchAll(/ ([a-z][\w:.-]*)="([^"]*)"/g)) {
    const value = unescaped(written)
    if (/^on|^(?:http-equiv|srcdoc|srcset|action|formaction|ping|autofocus|xlink:href)$/.test(attribute))
      faults.push(`${attribute} of <${name}>`)
    if (!OURS.has(attribute) && !isKeptAttribute(attribute, value)) faults.push(`${attribute} of <${name}>`)
    if (/^(?:href|src|poster|background)$/.test(attribute) && !HARMLESS_ADDRESS.test(value))
      faults.push(`${attribute}=${value.slice(0, 60)} of <${name}>`)
  }
  return faults
}

/** As whoever reads the copy has it. */
const unescaped = (text: string): string =>
  text.replaceAll(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => CHARACTERS.get(name) ?? '')
const CHARACTERS = new Map([
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['#39', "'"],
  ['amp', '&'],
])
