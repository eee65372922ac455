/**
 * Kept markup: which elements and attributes of a stored page go into its copy. What is in no list is left out, so that
 * what browsers learn to do next year is not done here either: an element keeps its words, an attribute goes whole.
 *
 * Nothing here runs, loads, submits or says where the rest of the page leads to.
 */

const words = (...lists: readonly string[]): ReadonlySet<string> => new Set(lists.join(' ').split(/\s+/))

const ELEMENTS = words(
  'html head body title article section nav aside header footer main address hgroup search h1 h2 h3 h4 h5 h6',
  'p hr pre blockquote ol ul menu li dl dt dd figure figcaption div center dir listing',
  'a em strong small s cite q dfn abbr ruby rt rp rb rtc data time code var samp kbd sub sup i b u mark bdi bdo span br wbr',
  'big font strike tt nobr marquee acronym ins del img picture map area video audio table caption colgroup col tbody thead',
  'tfoot tr td th form label input button select datalist optgroup option textarea output progress meter fieldset legend',
  'details summary dialog template slot noscript canvas',
  // Drawings that are shapes alone: no `foreignObject`, and nothing that changes an attribute later (`animate`, `set`).
  'svg g path rect circle ellipse line polyline polygon text tspan textpath defs use symbol image lineargradient',
  'radialgradient stop clippath mask pattern marker desc',
  'math mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd mstyle',
  'mpadded mphantom mmultiscripts mprescripts semantics',
)

/** An element of the page's own invention means nothing without a script, and its styles may name it. */
const OWN_ELEMENT = /^[a-z][a-z0-9]*(?:-[a-z0-9]+){1,8}$/

/** Names that have a hyphen and a meaning. */
const NOT_OWN = words('annotation-xml font-face font-face-src font-face-uri color-profile missing-glyph')

export const isKeptElement = (name: string): boolean =>
  ELEMENTS.has(name) || (name.length <= 60 && OWN_ELEMENT.test(name) && !NOT_OWN.has(name))

const ATTRIBUTES = words(
  'class id title lang dir alt width height colspan rowspan headers scope align valign char charoff bgcolor color face size',
  'border cellpadding cellspacing hspace vspace nowrap rules frame noshade clear compact start value reversed span open',
  'datetime role hidden name for checked disabled selected multiple rows cols wrap placeholder maxlength label summary abbr',
  'text link alink vlink marginwidth marginheight leftmargin topmargin min max low high optimum step readonly required',
  'shape coords usemap ismap tabindex type translate behavior direction scrollamount loop bordercolor axis',
  'x y x1 x2 y1 y2 cx cy r rx ry dx dy d points viewbox preserveaspectratio transform pathlength offset fx fy',
  'gradientunits gradienttransform patternunits patterntransform patterncontentunits clippathunits maskunits',
  'maskcontentunits markerwidth markerheight markerunits refx refy orient spreadmethod textlength lengthadjust rotate',
  'startoffset stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-dashoffset',
  'stroke-opacity fill-opacity fill-rule clip-rule opacity stop-color stop-opacity visibility display overflow',
  'font-family font-size font-weight font-style text-anchor dominant-baseline alignment-baseline letter-spacing',
  'word-spacing writing-mode vector-effect shape-rendering mathvariant mathsize displaystyle scriptlevel linethickness',
  'stretchy fence separator accent accentunder columnalign rowalign columnspacing rowspacing columnspan',
)

/** They may name another part of the same drawing, and by the same words anything anywhere. */
const PAINTS = words('fill stroke filter mask clip-path marker-start marker-mid marker-end')
const HARMLESS_PAINT = /^(?:[^\\(]*|\s*url\(\s*["']?#[\w.:-]+["']?\s*\)[^\\(]*|\s*[a-z]+\([\d\s.,%/-]*\)\s*)$/i

const MOST_VALUE = 2_000

/** Of the value as it would be kept; whatever is an address or a style is somebody else's to judge. */
export function isKeptAttribute(name: string, value: string): boolean {
  if (PAINTS.has(name)) return value.length <= MOST_VALUE && HARMLESS_PAINT.test(value)
  if (/^(?:aria|data)-[a-z0-9_.-]{1,60}$/.test(name)) return value.length <= MOST_VALUE
  return ATTRIBUTES.has(name) && (value.length <= MOST_VALUE || name === 'd' || name === 'points')
}
