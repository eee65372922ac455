import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bindsConnection, credentialField, credentialNames, isCredentialName } from './credential-fields.ts'

// oxfmt-ignore
const credentials = [
  'Authorization', 'Proxy-Authorization', 'X-Auth-Token', 'X-Api-Key', 'X-API_KEY', 'Api-Key', 'apikey', 'X-Access-Key', 'Remote-User',
  'REMOTE_USER', 'X-Remote-User', 'X-Forwarded-User', 'X-Forwarded-Preferred-Username', 'X-Amz-Security-Token', 'X-CSRF-Token',
  'X-CSRFToken', 'X-XSRF-TOKEN', 'X-Client-Cert', 'X-SSL-Client-Cert', 'X-SSL-Client-S-DN', 'SSL_CLIENT_VERIFY', 'Client-Cert',
  'X-Forwarded-Client-Cert', 'X-Forwarded-Tls-Client-Cert', 'X-ARR-ClientCert', 'X-Amzn-Mtls-Clientcert-Subject',
  'Cf-Access-Jwt-Assertion', 'CF-Access-Client-Secret', 'X-Goog-IAP-JWT-Assertion', 'X-Goog-Authenticated-User-Email', 'X-Goog-Api-Key',
  'X-Amzn-Oidc-Data', 'X-MS-CLIENT-PRINCIPAL-NAME', 'X-MS-TOKEN-AAD-ACCESS-TOKEN', 'X-Auth-Request-Email', 'X-authentik-username',
  'X-Pomerium-Claim-Email', 'Tailscale-User-Login', 'OIDC_CLAIM_sub', 'Shib-Session-ID', 'SM_USER', 'X-Consumer-Username',
  'PRIVATE-TOKEN', 'JOB-TOKEN', 'X-Vault-Token', 'X-Plex-Token', 'X-Emby-Authorization', 'X-Redmine-API-Key', 'X-Shopify-Access-Token',
  'X-Parse-Session-Token', 'X-WP-Nonce', 'X-Hasura-Admin-Secret', 'Ocp-Apim-Subscription-Key', 'DPoP', 'X-WSSE', 'X-Session-Id',
  'Acme-Session-Token', 'X-Acme-Password', 'iv-user', 'iv-creds', 'Zotero-API-Key', 'X-RapidAPI-Key', 'X-Verified-User', 'X-Original-User',
  'X-Login', 'X-Identity', 'X-Account-Id', 'X-Key', 'X-Ticket', 'X-DN', 'X-UID', 'uid', 'user', 'X-User', 'X_USER_NAME', 'X-Acme-User-Email',
  'X-UserId', 'X-Current-User', 'X-Authenticated-User', 'X-Impersonate-User', 'X-Principal', 'X-UPN', 'X-Appengine-User-Email', 'Acme-Key',
  'X-Acme-Claims', 'X-Acme-OTP', 'X-Forwarded-Identity', 'X-Consumer-Key', 'Sec-Token-Binding', 'Sec-Session-Response', 'X-Secret-Key', 'X-User-Groups',
]
for (const name of credentials) {
  test(`${name} says who asks, in any case`, () => {
    for (const written of [name, name.toLowerCase(), name.toUpperCase()]) {
      assert.equal(
        credentialField([
          ['Host', 'a.example'],
          [written, 'x'],
        ]),
        written,
      )
      assert.ok(isCredentialName(written))
    }
  })
}

// oxfmt-ignore
const harmless: [name: string, value?: string][] = [
  ['Host'], ['User-Agent'], ['Accept'], ['Accept-Language'], ['Referer'], ['Cookie'], ['If-None-Match'], ['Sec-Fetch-User', '?1'],
  ['Sec-WebSocket-Key'], ['X-Forwarded-For'], ['X-Forwarded-Proto'], ['X-Real-IP'], ['X-Request-Id'], ['X-Requested-With'], ['Via'],
  ['Sec-CH-UA'], ['Upgrade-Insecure-Requests'], ['Traceparent'], ['Idempotency-Key'], ['Range'], ['DNT'], ['Signature-Agent'],
  ['Remote-User', ''], ['Remote-User', '(null)'], ['X-SSL-Client-Verify', 'NONE'], ['X-Forwarded-User', '-'],
  // What browsers send.
  ['Accept-Encoding'], ['Accept-Charset'], ['Cache-Control'], ['Pragma'], ['Connection'], ['Keep-Alive'], ['Origin'], ['TE'], ['Priority'],
  ['Save-Data'], ['Sec-GPC'], ['Sec-Purpose'], ['Purpose'], ['X-Purpose'], ['X-Moz'], ['Alt-Used'], ['Early-Data'], ['Device-Memory'], ['DPR'],
  ['Downlink'], ['ECT'], ['RTT'], ['Viewport-Width'], ['Sec-Fetch-Site'], ['Sec-Fetch-Mode'], ['Sec-Fetch-Dest'], ['Sec-CH-UA-Mobile'],
  ['Sec-CH-UA-Platform'], ['Sec-CH-Prefers-Color-Scheme'], ['Sec-WebSocket-Version'], ['Sec-WebSocket-Protocol'],
  ['Sec-WebSocket-Extensions'], ['Sec-WebSocket-Key1'], ['Service-Worker'], ['Service-Worker-Navigation-Preload'], ['X-Client-Data'],
  ['X-Wap-Profile'], ['X-OperaMini-Phone-UA'], ['X-OperaMini-Features'], ['X-UCBrowser-Device-UA'], ['X-ATT-DeviceId'],
  ['X-Chrome-UMA-Enabled'], ['Content-Type'], ['Content-Length'], ['If-Modified-Since'], ['If-Range'], ['Expect'], ['Upgrade'],
  ['Available-Dictionary'], ['Dictionary-ID'], ['Attribution-Reporting-Eligible'], ['Ping-From'], ['Ping-To'], ['Last-Event-ID'],
  ['Access-Control-Request-Method'], ['Access-Control-Request-Headers'],
  // What crawlers and feed readers send.
  ['From'], ['A-IM'], ['Signature'], ['Signature-Input'], ['Want-Repr-Digest'], ['Want-Content-Digest'], ['Accept-Datetime'],
  // What proxies, content networks and tracers send.
  ['Forwarded'], ['X-Forwarded-Host'], ['X-Forwarded-Port'], ['X-Forwarded-Server'], ['X-Forwarded-Prefix'], ['X-Forwarded-Scheme'],
  ['X-Forwarded-SSL'], ['Front-End-Https'], ['X-Original-Forwarded-For'], ['X-Original-URI'], ['X-Original-Host'], ['X-Scheme'],
  ['X-Client-IP'], ['X-Cluster-Client-IP'], ['True-Client-IP'], ['CF-Connecting-IP'], ['CF-Connecting-IPv6'], ['CF-IPCountry'], ['CF-Ray'],
  ['CF-Visitor'], ['CF-Worker'], ['CDN-Loop'], ['Fastly-Client-IP'], ['Fastly-FF'], ['Fastly-SSL'], ['X-Varnish'], ['X-Sucuri-ClientIP'],
  ['X-Sucuri-Country'], ['Incap-Client-IP'], ['X-Azure-ClientIP'], ['X-Azure-FDID'], ['X-Azure-Ref'], ['X-Azure-SocketIP'],
  ['X-Appengine-Country'], ['X-Appengine-City'], ['X-Appengine-User-IP'], ['X-User-IP'], ['X-Device-User-Agent'], ['X-Original-User-Agent'],
  ['X-UA-Device'], ['X-User-Country'], ['X-User-Language'], ['X-Akamai-Edgescape'], ['X-Akamai-Device-Characteristics'], ['Akamai-Origin-Hop'],
  ['X-Amz-Cf-Id'], ['CloudFront-Viewer-Country'], ['CloudFront-Is-Mobile-Viewer'], ['X-Amzn-Trace-Id'], ['X-Cloud-Trace-Context'], ['Traceparent'],
  ['Tracestate'], ['Baggage'], ['Sentry-Trace'], ['X-B3-TraceId'], ['X-B3-SpanId'], ['X-B3-Sampled'], ['X-Datadog-Trace-Id'],
  ['X-Datadog-Sampling-Priority'], ['X-NewRelic-Id'], ['X-Correlation-Id'], ['X-Envoy-Attempt-Count'], ['X-Envoy-External-Address'],
  ['X-Envoy-Expected-Rq-Timeout-Ms'], ['X-Request-Start'], ['X-Queue-Start'], ['X-Vercel-Id'], ['X-Vercel-IP-Country'], ['X-NF-Request-Id'],
  ['Fly-Client-IP'], ['Fly-Region'], ['X-Nginx-Proxy'], ['X-Accel-Internal'], ['Surrogate-Capability'], ['Surrogate-Key'], ['X-Cache-Key'],
  ['X-Idempotency-Key'], ['X-BlueCoat-Via'], ['X-IMForwards'], ['X-Proxy-Id'], ['X-Proxy-Cache'], ['X-TLS-Version'], ['X-SSL-Cipher'],
  ['X-HTTPS'], ['X-Country-Code'], ['X-Geo-Country'], ['X-LB'], ['X-ARR-Log-Id'], ['X-ARR-SSL'], ['X-Site-Deployment-Id'], ['X-Edge-IP'],
  ['X-Verified-User', '-'], ['X-Login', ''], ['uid', '(null)'], ['iv-user', 'Unauthenticated'],
  ['constructor'], ['__proto__'], ['toString'], ['hasOwnProperty'], ['valueOf'],
]
for (const [name, value = 'x'] of harmless) {
  test(`${name}: ${value} says nothing of who asks`, () => assert.equal(credentialField([[name, value]]), undefined))
}

test('an answer that differs by browser is for everybody', () => {
  for (const name of ['User-Agent', 'Sec-CH-UA', 'X-UA-Device', 'Accept-Language', 'X-User-Country'])
    assert.equal(isCredentialName(name), false, name)
})

test('a token that is empty is one all the same, and a name that somebody adds counts', () => {
  assert.equal(credentialField([['X-Auth-Token', '']]), 'X-Auth-Token')
  assert.equal(credentialField([['x_our_reader', '1']]), undefined)
  assert.equal(credentialField([['x_our_reader', '1']], credentialNames(['X-Our-Reader'])), 'x_our_reader')
})

// oxfmt-ignore
const bindings: [binds: boolean, request: [string, string][], response: [string, string][]][] = [
  [true,  [['Authorization', 'NTLM TlRMTVNTUAAB']],           []],
  [true,  [['authorization', 'negotiate YIIZ']],              []],
  [true,  [['Proxy-Authorization', 'Kerberos x']],            []],
  [true,  [['Authorization', 'NewScheme x']],                 []],
  [true,  [],                                                 [['WWW-Authenticate', 'Negotiate oYG2']]],
  [true,  [],                                                 [['WWW-Authenticate', 'Basic realm="a", NTLM']]],
  [true,  [],                                                 [['Proxy-Authenticate', 'NTLM TlRM']]],
  [false, [['Authorization', 'Basic YTpi']],                  []],
  [false, [['Authorization', 'Bearer x.y.z']],                [['WWW-Authenticate', 'Bearer']]],
  [false, [['Authorization', 'AWS4-HMAC-SHA256 Credential=']], []],
  [false, [],                                                 [['WWW-Authenticate', 'Basic realm="negotiate"']]],
  [false, [],                                                 []],
]
for (const [binds, request, response] of bindings) {
  test(`${JSON.stringify([...request, ...response])} ${binds ? 'may make' : 'does not make'} a connection somebody's`, () =>
    assert.equal(bindsConnection(request, response), binds))
}
