/**
 * Search: `/` goes to the search box, and what is typed there gets suggestions, as a combobox with a list (ARIA
 * Authoring Practices, "editable combobox with list autocomplete"). Without this script the box is a box.
 */
const WAIT_MS = 120
const boxes = [...document.querySelectorAll('input[data-suggest]')]

document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.target.closest('input, textarea, select, [contenteditable]') !== null) return
  event.preventDefault()
  boxes[0]?.focus()
  boxes[0]?.select()
})

for (const [i, input] of boxes.entries()) combobox(input, `suggestions-${i}`)

/** Nobody is led anywhere but to a page of the Web. */
function pageUrl(page) {
  return typeof page?.url === 'string' && /^https?:\/\//i.test(page.url) ? page.url : undefined
}

function combobox(input, id) {
  const list = document.createElement('ul')
  list.id = id
  list.className = 'suggestions'
  list.setAttribute('role', 'listbox')
  list.setAttribute('aria-label', 'Suggestions')
  list.hidden = true
  input.after(list)
  for (const [name, value] of [
    ['role', 'combobox'],
    ['aria-autocomplete', 'list'],
    ['aria-expanded', 'false'],
    ['aria-controls', id],
  ]) {
    input.setAttribute(name, value)
  }
  let typed = input.value
  let active = -1
  let timer
  let asked = new AbortController()

  input.addEventListener('input', () => {
    typed = input.value
    clearTimeout(timer)
    asked.abort()
    if (typed.trim() === '') return close()
    timer = setTimeout(ask, WAIT_MS)
  })
  input.addEventListener('keydown', onKey)
  input.addEventListener('blur', close)
  // Before the box loses the focus, and the list with it.
  list.addEventListener('mousedown', (event) => {
    event.preventDefault()
    const option = event.target.closest('[role=option]')
    if (option !== null) choose(option)
  })

  async function ask() {
    const { signal } = (asked = new AbortController())
    try {
      const response = await fetch(`${input.dataset.suggest}?q=${encodeURIComponent(typed)}`, { signal })
      if (!response.ok) return close()
      const answer = await response.json()
      show(answer.suggestions.map((title, n) => ({ title, url: pageUrl(answer.pages?.[n]) })).slice(0, 8))
    } catch {
      // Suggestions are an extra: without them the box works as before. One that was called off has a successor.
      if (!signal.aborted) close()
    }
  }

  function show(found) {
    if (found.length === 0 || document.activeElement !== input) return close()
    list.replaceChildren(...found.map(optionOf))
    active = -1
    input.removeAttribute('aria-activedescendant')
    input.setAttribute('aria-expanded', 'true')
    list.hidden = false
  }

  function optionOf({ title, url }, n) {
    const option = document.createElement('li')
    option.id = `${id}-${n}`
    option.setAttribute('role', 'option')
    option.setAttribute('aria-selected', 'false')
    option.append(document.createElement('bdi'))
    option.firstChild.textContent = title
    if (url !== undefined) {
      option.dataset.url = url
      const place = document.createElement('div')
      place.className = 'crumbs'
      place.textContent = url.replace(/^https?:\/\//, '')
      option.append(place)
    }
    return option
  }

  function onKey(event) {
    if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault()
      input.value = typed
      close()
    } else if ((event.key === 'ArrowDown' || event.key === 'ArrowUp') && !list.hidden) {
      event.preventDefault()
      step(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Enter') {
      const option = list.children[active]
      if (option?.dataset.url !== undefined) {
        event.preventDefault()
        choose(option)
      } else close()
    }
  }

  /** One past either end stands for what was typed. */
  function step(by) {
    const options = [...list.children]
    active = ((active + 1 + by + options.length + 1) % (options.length + 1)) - 1
    for (const [n, option] of options.entries()) option.setAttribute('aria-selected', String(n === active))
    const option = options[active]
    input.value = option === undefined ? typed : option.firstChild.textContent
    if (option === undefined) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', option.id)
  }

  /** A page is opened; a query is asked. */
  function choose(option) {
    const { url } = option.dataset
    input.value = option.firstChild.textContent
    close()
    if (url === undefined) input.form.requestSubmit()
    else location.assign(url)
  }

  function close() {
    clearTimeout(timer)
    asked.abort()
    active = -1
    list.hidden = true
    list.replaceChildren()
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
  }
}
