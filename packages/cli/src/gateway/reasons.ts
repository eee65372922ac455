/** Why a gateway leaves something out, for `--help` and for reports. A test holds them against those there are. */
import { tableOf } from '@comity/protocol'

// oxfmt-ignore
export const REASONS: ReadonlyMap<string, string> = tableOf({
  'hole':           'bytes of it were not captured',
  'cut-short':      'it ended before its end',
  'conflict':       'bytes came twice and differ',
  'doubtful':       'readers could cut or read it in two ways',
  'too-large':      'larger than what is rebuilt',
  'no-room':        'there was no memory for it: raise --max-memory',
  'no-request':     'an answer whose request was not captured',
  'no-response':    'a request whose answer was not captured',
  'unpaired':       'which request it answers cannot be said',
  'switched':       'another protocol from here on: a tunnel, a WebSocket',
  'unsure-url':     'host and address of the request say nothing sure',
  'foreign-server': 'a host that is not among --hosts, or a server that is not among --servers',
  'other-readers':  'a reader who does not count: see --readers',
  'not-get':        'no GET: a form, a question about a page',
  'status':         'the answer was no page: an error, a redirect, a part',
  'media-type':     'neither a page nor a text',
  'authorization':  'the request, or the answer, said who asked: see --credential-header',
  'authenticated':  'on its connection somebody had been asked for a password, or had given one',
  'unseen':         'its connection was not seen from the beginning: somebody may have signed in; see --midstream',
  'steered':        'a field of the request has it answered for another address, method or host',
  'session':        'its address carries the session of a reader',
  'no-store':       'nobody may keep it',
  'private':        'meant for one reader',
  'set-cookie':     'the answer makes its reader known',
  'varies':         'the answer depends on who asks',
  'cookie':         'asked for with a cookie, and not yet the same for --quorum readers',
  'secret-address': 'its address looks like a key, and not yet the same for --quorum readers: see --public',
  'query':          'its address has parameters: see --query',
  'robots':         'robots.txt does not allow it',
  'noindex':        'it asks not to be indexed',
  'password':       'it asks for a password',
  'private-path':   'below a --private-path',
  'coding':         'its content coding cannot be undone, or makes too much of it',
  'fault':          'a fault of ours, which is told; faults.jsonl of --state has where',
  'busy':           'more PDF files, or pages for --program, at a time than can be read',
  'unreadable':     'a PDF file that cannot be read',
  'program':        'the program left it out; its own word for it may follow',
  'program-failed': 'the program failed on it',
  'program-spent':  'the program has used up what it may use in a day',
  'program-stopped': 'the program was stopped before it was done',
  'program-unavailable': 'the program could not be run, which is told',
  'program-unreadable': 'what the program said of it cannot be read',
})

/** Programs have words of their own. */
export const meaningOf = (reason: string): string =>
  REASONS.get(reason) ?? (reason.startsWith('program-') ? REASONS.get('program')! : '')
