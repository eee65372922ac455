/** Unreached: why nothing came of a site, in a plain sentence with the flag or the look that helps. */
import { tableOf } from '@comity/protocol'

const HELP: ReadonlyMap<string, string> = tableOf({
  'dns-error': 'there is no host of this name. Check its spelling, and the network',
  'connection-refused': 'nobody listens there. Is the server running, and is this its port?',
  unreachable: 'no way leads to its address from here. Check the network',
  'timeout-connect': 'no connection came about in time. Is a firewall in between?',
  'address-refused': 'its address is private. Where it is yours, --allow-private lets it be visited',
  'proxy-error': 'the proxy did not connect us. Check --proxy',
  'tls-error': 'no trusted TLS connection came about',
})
const CERTIFICATE =
  'its certificate is not trusted. For one that your own authority has signed: --ca FILE; to trust whatever this site shows: ' +
  '"insecureTls": true for it under "sites" in a --config file'

/** `https://a.example: its certificate is not trusted. … (self-signed certificate)` */
export function unreachedText(origin: string, outcome: string, problem: string | undefined): string {
  const isCertificate = outcome === 'tls-error' && /certificate|altname/i.test(problem ?? '')
  const help = isCertificate ? CERTIFICATE : HELP.get(outcome)
  const why =
    problem === undefined || problem === ''
      ? ''
      : ` (${problem.replace(/^no answer: /, '').replace(/; if the root CA .*$/, '')})`
  return help === undefined ? `${origin}: ${outcome}${why}` : `${origin}: ${help}${why}`
}
