// Starts a real OAuth 2.0 and OpenID Connect server on loopback, prints its
// address, and ends when its standard input does. Its argument is the folder
// node_modules in which oidc-provider is.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const entry = join(process.argv[2], 'oidc-provider', 'lib', 'index.js');
const { Provider } = await import(pathToFileURL(entry));
const port = Number(process.argv[3] ?? 0);
const seconds = Number(process.env.TOKEN_SECONDS ?? 3600);

const redirect = { redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/signed/in'], response_types: ['code'] };
const clients = [
  {
    client_id: 'service', client_secret: 'service+secret/42', redirect_uris: [], response_types: [],
    grant_types: ['client_credentials'],
  },
  {
    client_id: 'posting', client_secret: 'posting-secret-42', redirect_uris: [], response_types: [],
    grant_types: ['client_credentials'], token_endpoint_auth_method: 'client_secret_post',
  },
  {
    client_id: 'desktop', ...redirect, application_type: 'native', token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
  },
  {
    client_id: 'confidential', client_secret: 'confidential-secret-42', ...redirect, application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
  },
];

const server = createServer();
await new Promise((listening) => server.listen(port, '127.0.0.1', listening));
const issuer = `http://127.0.0.1:${server.address().port}`;
const provider = new Provider(issuer, {
  clients,
  scopes: ['openid', 'offline_access', 'read', 'write'],
  features: {
    clientCredentials: { enabled: true },
    deviceFlow: { enabled: true },
    introspection: { enabled: true },
    revocation: { enabled: true },
    registration: { enabled: true },
    resourceIndicators: {
      enabled: true,
      // FOREIGN_AUDIENCE gives tokens for another resource than was asked for.
      getResourceServerInfo: (_, resource) => ({ scope: 'read write', audience: process.env.FOREIGN_AUDIENCE ?? resource, accessTokenFormat: process.env.TOKEN_FORMAT ?? 'opaque' }),
    },
    devInteractions: { enabled: true },
  },
  pkce: { required: () => true },
  rotateRefreshToken: true,
  issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
  ttl: { AccessToken: seconds, ClientCredentials: seconds },
  cookies: { keys: ['not a secret'] },
});

// What was asked of the token endpoint, for tests to count: by grant type, the
// ones that were refused under "error".
const asked = {};
const count = (word) => { asked[word] = (asked[word] ?? 0) + 1; };
provider.on('grant.success', (ctx) => count(ctx.oidc.params.grant_type));
provider.on('grant.error', () => count('error'));
const answer = provider.callback();
server.on('request', (request, response) => {
  if (request.url !== '/asked') return answer(request, response);
  response.setHeader('content-type', 'application/json');
  return response.end(JSON.stringify(asked));
});

console.log(issuer);
process.stdin.resume().on('end', () => process.exit(0));
