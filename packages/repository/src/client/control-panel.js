/**
 * Control panel: sends its forms to the API with the token. The token is read from its field at each call and kept
 * nowhere else; a reload forgets it.
 */
export function createControlPanel(section) {
  if (section === null) return
  const status = document.getElementById('control-status')
  const token = document.getElementById('token')
  section.querySelector('.forms').hidden = false
  for (const form of section.querySelectorAll('form')) {
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      // The token's own form is only there for the browser to see that it is one.
      if (form.dataset.call === undefined) return
      if (token.value.trim() === '') {
        status.textContent = 'First enter the token.'
        token.focus()
        return
      }
      const button = form.querySelector('button')
      button.disabled = true
      status.textContent = 'Asking …'
      status.textContent = await call(form, token.value.trim())
      button.disabled = false
    })
  }
}

async function call(form, token) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  try {
    const response = await fetch(form.dataset.call, { method: 'POST', headers, body: JSON.stringify(valuesOf(form)) })
    if (response.ok) return done(form)
    const problem = await response.json().catch(() => ({}))
    return `${problem.title ?? `The server answered ${response.status}`}. ${problem.detail ?? ''}`
  } catch {
    return 'The server did not answer.'
  }
}

function done(form) {
  // The page is not loaded again, as that would forget the token.
  if (/\/(?:pause|resume)$/.test(form.dataset.call)) setTimeout(() => turn(form), 0)
  else form.reset()
  return 'Done.'
}

function turn(form) {
  const isPaused = form.dataset.call.endsWith('/pause')
  form.dataset.call = form.dataset.call.replace(/[^/]+$/, isPaused ? 'resume' : 'pause')
  form.querySelector('button').textContent = isPaused ? 'Resume the crawl' : 'Pause the crawl'
  document.querySelector('h1').textContent = isPaused ? 'The crawl is paused' : 'The crawl, now'
}

function valuesOf(form) {
  const fields = [...form.elements].filter(({ name }) => name !== '')
  return Object.fromEntries(
    fields.map((field) => [field.name, field.type === 'number' ? field.valueAsNumber : field.value]),
  )
}
