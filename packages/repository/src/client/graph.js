/** Graph: lights up what a site is linked with while it is pointed at or has the focus. */
import { add } from './line-chart.js'

const svg = document.getElementById('graph')
if (svg !== null) light(svg)

function light(picture) {
  const nodes = [...picture.querySelectorAll('.nodes > a')]
  const links = picture.dataset.links.split(' ').filter((pair) => pair !== '')
  const pairs = links.map((pair) => pair.split('-').map(Number))
  const lit = picture.querySelector('.lit')
  const places = nodes.map((node) => {
    const circle = node.querySelector('circle')
    return [Number(circle.getAttribute('cx')), Number(circle.getAttribute('cy'))]
  })
  for (const type of ['pointerover', 'focusin'])
    picture.addEventListener(type, ({ target }) => show(target.closest('a')))
  for (const type of ['pointerleave', 'focusout']) picture.addEventListener(type, () => show(null))

  function show(node) {
    const at = nodes.indexOf(node)
    const near = pairs.filter((pair) => pair.includes(at))
    const around = new Set(near.flat())
    picture.classList.toggle('pointed', at >= 0)
    for (const [i, one] of nodes.entries()) one.classList.toggle('near', i === at || around.has(i))
    lit.replaceChildren()
    raise(node?.querySelector('text'))
    for (const [from, to] of near)
      add(lit, 'path', { class: from === at ? 'out' : 'in', d: arc(places[from], places[to]) })
  }
}

/** A name that is shown only now must not lie under other sites. */
function raise(text) {
  const names = svg.querySelector('.names')
  names.querySelector('.now')?.remove()
  if (text === null || text === undefined) return
  const copy = text.cloneNode(true)
  copy.setAttribute('class', 'now')
  names.append(copy)
}

/** As the server draws it. */
function arc([x1, y1], [x2, y2]) {
  const [dx, dy] = [x2 - x1, y2 - y1]
  return `M${x1} ${y1}q${Math.round(dx / 2 - dy * 0.16)} ${Math.round(dy / 2 + dx * 0.16)} ${dx} ${dy}`
}
