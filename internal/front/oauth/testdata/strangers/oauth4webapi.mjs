// A connection as the library oauth4webapi makes it. It prints the address that a person is to be sent to, reads where they came back
// to, and prints the tokens that work in the end.
import * as oauth from 'oauth4webapi'
import { createInterface } from 'node:readline/promises'

const base = process.argv[2]
const redirect = 'http://127.0.0.1:4711/callback'
const insecure = { [oauth.allowInsecureRequests]: true }
const resource = new URL(base + '/preview')

const protectedResource = await oauth.processResourceDiscoveryResponse(resource, await oauth.resourceDiscoveryRequest(resource, insecure))
const issuer = new URL(protectedResource.authorization_servers[0])
const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }))
const registered = await oauth.dynamicClientRegistrationRequest(as, { client_name: 'oauth4webapi', redirect_uris: [redirect], token_endpoint_auth_method: 'none' }, insecure)
const client = await oauth.processDynamicClientRegistrationResponse(registered)

const verifier = oauth.generateRandomCodeVerifier()
const state = oauth.generateRandomState()
const to = new URL(as.authorization_endpoint)
for (const [name, value] of Object.entries({
  client_id: client.client_id, redirect_uri: redirect, response_type: 'code', scope: 'preview:read', state, resource: resource.href,
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: 'S256',
})) to.searchParams.set(name, value)
console.log(to.href)

const back = new URL(await createInterface({ input: process.stdin }).question(''))
const answer = oauth.validateAuthResponse(as, client, back, state)
const first = await oauth.processAuthorizationCodeResponse(as, client, await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), answer, redirect,
  verifier, { additionalParameters: { resource: resource.href }, ...insecure }))
const second = await oauth.processRefreshTokenResponse(as, client, await oauth.refreshTokenGrantRequest(as, client, oauth.None(), first.refresh_token, insecure))
const read = await oauth.protectedResourceRequest(second.access_token, 'GET', new URL(base + '/preview/items'), undefined, undefined, insecure)
if (read.status !== 200) throw new Error('reading answered ' + read.status)
await oauth.processRevocationResponse(await oauth.revocationRequest(as, client, oauth.None(), first.access_token, insecure))
console.log(second.access_token)
process.exit(0)
