import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import { listenLocally } from './listenLocally.ts';

/** An issuer that signs any claims, and whose responses can be changed. */
export interface ExternalIssuer {
  url: string;
  jwksUri: string;
  /** Number of requests for its keys. */
  readonly asked: number;
  /** Published keys, which `publish` changes. */
  readonly keys: readonly JWK[];
  /** Publishes these keys. With null, the issuer does not respond. */
  publish(keys: readonly JWK[] | null): void;
  /** Creates a further key and publishes it. */
  addKey(algorithm?: string): Promise<string>;
  /** A token of valid claims with these changes, signed with its first or the named key. Undefined removes a claim. */
  issue(claims?: JWTPayload, options?: { header?: object; kid?: string }): Promise<string>;
  close(): Promise<void>;
}

/** Audience of the issuer's tokens. */
export const externalAudience = 'trigate-web';

interface Pair {
  algorithm: string;
  privateKey: CryptoKey;
  jwk: JWK;
}

/** @param now clock of the stack that the tokens are for, in milliseconds */
export async function openExternalIssuer({
  algorithm = 'ES256',
  now = Date.now,
}: {
  algorithm?: string;
  now?: () => number;
} = {}): Promise<ExternalIssuer> {
  let asked = 0;
  let published: readonly JWK[] | null = [];
  const pairs = new Map<string, Pair>();
  const server = createServer((request, response) => {
    if (request.url === '/.well-known/openid-configuration') {
      return response.end(JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }));
    }
    asked += 1;
    if (published === null) return request.socket.destroy();
    return response.end(JSON.stringify({ keys: published }));
  });
  const { url, close } = await listenLocally(server);
  const addKey = async (kind = algorithm): Promise<string> => {
    const kid = `key-${pairs.size + 1}`;
    const { privateKey, publicKey } = await generateKeyPair(kind, { extractable: true });
    const jwk = { ...(await exportJWK(publicKey)), kid, alg: kind, use: 'sig' };
    pairs.set(kid, { algorithm: kind, privateKey, jwk });
    published = [...(published ?? []), jwk];
    return kid;
  };
  await addKey();
  return {
    url,
    jwksUri: `${url}/keys`,
    get asked() {
      return asked;
    },
    get keys() {
      return published ?? [];
    },
    publish: (keys) => {
      published = keys;
    },
    addKey,
    async issue(claims = {}, { header = {}, kid = 'key-1' } = {}) {
      const pair = pairs.get(kid);
      if (!pair) throw new Error(`The issuer has no key ${kid}.`);
      const issuedAt = Math.floor(now() / 1000);
      const payload = {
        iss: url,
        aud: externalAudience,
        sub: 'subject-1',
        iat: issuedAt,
        exp: issuedAt + 3600,
        jti: randomUUID(),
        ...claims,
      };
      return new SignJWT(JSON.parse(JSON.stringify(payload)))
        .setProtectedHeader({ alg: pair.algorithm, kid, typ: 'JWT', ...header })
        .sign(pair.privateKey);
    },
    close,
  };
}
