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
  'Acme-Session-Token', 'X-Acme-Password',
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
  ['constructor'], ['__proto__'], ['toString'], ['hasOwnProperty'], ['valueOf'],
]
for (const [name, value = 'x'] of harmless) {
  test(`${name}: ${value} says nothing of who asks`, () => assert.equal(credentialField([[name, value]]), undefined))
}

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
