// A connection as the Model Context Protocol's own client makes it. It prints the address that a person is to be sent to, reads where
// they came back to, and prints the access token that it has after a refresh.
import { auth } from '@modelcontextprotocol/sdk/client/auth.js'
import { createInterface } from 'node:readline/promises'

const serverUrl = process.argv[2] + '/preview'
const kept = {}
const provider = {
  redirectUrl: 'http://127.0.0.1:4712/callback',
  clientMetadata: { client_name: 'Assistant', redirect_uris: ['http://127.0.0.1:4712/callback'], token_endpoint_auth_method: 'client_secret_post' },
  clientInformation: () => kept.client,
  saveClientInformation: (client) => { kept.client = client },
  tokens: () => kept.tokens,
  saveTokens: (tokens) => { kept.tokens = tokens },
  redirectToAuthorization: (url) => { console.log(url.href) },
  saveCodeVerifier: (verifier) => { kept.verifier = verifier },
  codeVerifier: () => kept.verifier,
}
if (await auth(provider, { serverUrl }) !== 'REDIRECT') throw new Error('nobody was asked')
const back = new URL(await createInterface({ input: process.stdin }).question(''))
if (await auth(provider, { serverUrl, authorizationCode: back.searchParams.get('code') }) !== 'AUTHORIZED') throw new Error('the code was not taken')
const first = kept.tokens.access_token
if (await auth(provider, { serverUrl }) !== 'AUTHORIZED' || kept.tokens.access_token === first) throw new Error('nothing was renewed')
console.log(kept.tokens.access_token)
process.exit(0)
