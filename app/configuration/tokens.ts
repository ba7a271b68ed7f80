import { readDeployment } from './deployment.ts';
import { readHttp } from './http.ts';
import { type Environment, readAll, text, toggle } from './Setting.ts';

/** Settings of secrets, keys and token issuers. */
export const tokenSettings = {
  rootSecret: text('TRIGATE_SECRET', {
    shown: 'a file in `DATA_DIR`',
    meaning:
      'Root secret, which must be the same for every process of a deployment. The demonstration creates its own.',
    allowed: 'at least 32 bytes, for example the output of `openssl rand -base64 32`',
    isSecret: true,
  }),
  rootSecretFile: text('TRIGATE_SECRET_FILE', {
    meaning: 'File that contains the root secret; read if `TRIGATE_SECRET` is unset.',
    allowed: 'a file of at least 32 bytes',
  }),
  signingKeyFile: text('SIGNING_KEY_FILE', {
    meaning:
      'File of private signing keys. The database then contains public keys only. See [keys](../how-to/keys.md).',
    allowed: 'a file of P-256 keys in PEM',
  }),
  routerSecret: text('ROUTER_SECRET', {
    shown: 'derived from the root secret',
    meaning: 'Secret that signs the request context which the router sends to subgraphs in other processes.',
    allowed: 'at least 32 bytes, for example the output of `openssl rand -base64 48`',
    accepts: (secret) => Buffer.byteLength(secret) >= 32,
    isSecret: true,
  }),
  issuer: text('ISSUER', {
    fallback: (environment) => {
      const { port, tls } = readHttp(environment);
      return `${tls ? 'https' : 'http'}://localhost:${port}`;
    },
    shown: '`http://localhost:$PORT`',
    meaning: '`iss` claim of the access tokens, one per deployment.',
    allowed: 'the public URL of the deployment',
  }),
  signerKey: text('SIGNER_KEY', {
    meaning:
      'Secret that a foreign router sends to `npm run start:signer`; required unless the signer listens on loopback.',
    allowed: 'at least 32 characters, for example the output of `openssl rand -hex 32`',
    accepts: (key) => key.length >= 32,
    isSecret: true,
  }),
  privateIssuers: toggle('PRIVATE_ISSUERS', {
    fallback: false,
    meaning:
      '`on`, in the demonstration only: external issuers and stock images may have private addresses and use plain http.',
  }),
};

export function readTokens(environment: Environment) {
  const values = readAll(tokenSettings, environment);
  if (values.privateIssuers && !readDeployment(environment).demonstration)
    throw new Error('PRIVATE_ISSUERS is for development only. Unset it, or set DEMO=on.');
  return values;
}
