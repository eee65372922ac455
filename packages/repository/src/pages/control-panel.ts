/**
 * Control panel: pause, resume, a seed more, another budget. Each form is one call of the API; control-panel.js makes
 * it with the token, which stays in the page's memory alone and is gone when the page is. Without a script there is no
 * way to send the token that other sites could not abuse, so there it says how to ask from a terminal.
 */
import { html } from '../html/html.ts'
import type { Html } from '../html/html.ts'

export function controlPanel(state: 'running' | 'paused'): Html {
  const turn = state === 'paused' ? 'resume' : 'pause'
  return html`<section class="control" id="control">
    <h2>Control</h2>
    <noscript
      ><p>
        Buttons need a script. From a terminal:
        <code>curl -X POST -H "Authorization: Bearer TOKEN" http://HOST/api/v1/crawl/${turn}</code>
      </p></noscript
    >
    <div class="forms" hidden>
      <form class="field-row">
        <label for="token">Token</label
        ><input id="token" type="password" autocomplete="off" spellcheck="false" aria-describedby="token-help" />
        <span class="quiet" id="token-help"
          >in the file that the server named when it started; kept in this page only</span
        >
      </form>
      <form class="field-row" data-call="/api/v1/crawl/${turn}">
        <button>${state === 'paused' ? 'Resume' : 'Pause'} the crawl</button>
      </form>
      <form class="field-row" data-call="/api/v1/crawl/seeds">
        <label for="seed">Add a seed</label
        ><input id="seed" name="url" type="url" required maxlength="2000" placeholder="https://example.org/" /><button>
          Add
        </button>
      </form>
      <form class="field-row" data-call="/api/v1/crawl/budget">
        <label for="max-pages">Stop after so many pages</label
        ><input id="max-pages" name="maxPages" type="number" min="1" step="1" required inputmode="numeric" /><button>
          Change
        </button>
      </form>
      <p id="control-status" role="status"></p>
    </div>
  </section>`
}
