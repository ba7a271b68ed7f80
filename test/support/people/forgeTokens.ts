import { type KeyObject, randomBytes, sign } from 'node:crypto';
import type { TokenRefusal, TokenRule } from '../../../subgraphs/platform/credentials/refuseToken.ts';
import { AppError } from '../../../subgraphs/platform/errors/AppError.ts';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { createSecrets } from '../../../subgraphs/platform/secrets/deriveSecret.ts';
import { createKeySet } from '../../../subgraphs/platform/token/KeySet.ts';
import type { AccessTokenPayload } from '../../../subgraphs/platform/token/readClaims.ts';
import {
  createSigningKey,
  openPrivateKey,
  type SigningKeyRecord,
} from '../../../subgraphs/platform/token/SigningKey.ts';
import { type VerifyTokenOptions, verifyToken } from '../../../subgraphs/platform/token/verifyToken.ts';

/** JSON members, or a literal text for tests of its spelling. */
type Part = object | string | Buffer;

/** A signing key, the parts of a valid token, and functions that create invalid tokens. */
export interface Mint {
  /** Current time in seconds since 1970. */
  readonly nowSeconds: number;
  readonly privateKey: KeyObject;
  readonly header: { alg: string; typ: string; kid: string };
  readonly payload: Readonly<AccessTokenPayload>;
  /** Another installation and its audience. */
  readonly other: { readonly installation: string; readonly aud: string };
  /** A token of these parts, with a valid signature over exactly these bytes unless another signer is given. */
  readonly token: (parts?: { header?: Part; payload?: Part; signer?: (input: string) => Buffer }) => string;
  /** ES256 over a text, 64 bytes (RFC 7518, 3.4). */
  readonly es256: (input: string, key?: KeyObject) => Buffer;
}

/** A mint of a key and the parts of a valid token. */
export function createMint(parts: Omit<Mint, 'token' | 'es256'>): Mint {
  const es256 = (input: string, key = parts.privateKey): Buffer =>
    sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  return {
    ...parts,
    es256,
    token: ({ header = parts.header, payload = parts.payload, signer = es256 } = {}) => {
      const input = `${toSegment(header)}.${toSegment(payload)}`;
      return `${input}.${signer(input).toString('base64url')}`;
    },
  };
}

/** An issuer with its stored key, and options that accept its tokens. */
export interface Forge extends Mint {
  readonly record: SigningKeyRecord;
  readonly options: VerifyTokenOptions;
}

/** Creates an issuer whose tokens the options accept. */
export function createForge(): Forge {
  const nowSeconds = 1_800_000_000;
  const secrets = createSecrets(randomBytes(32));
  const record = createSigningKey(secrets, new Date(nowSeconds * 1000), 'current');
  const { kid, privateKey } = openPrivateKey(secrets, record);
  const installation = 'ins_market';
  const header = { alg: 'ES256', typ: 'at+jwt', kid };
  const payload = {
    iss: 'https://issuer.example',
    aud: 'https://market.example/api/v1',
    sub: newId('user'),
    installation,
    sid: newId('session'),
    client_id: 'web',
    roles: ['buyer'],
    scope: 'user',
    auth_time: nowSeconds - 100,
    amr: ['pwd'],
    acr: 'basic',
    iat: nowSeconds - 10,
    nbf: nowSeconds - 10,
    exp: nowSeconds + 590,
    jti: 'abcdefghijklmnop',
  };
  const other = { installation: 'ins_other', aud: 'https://other.example/api/v1' };
  const audiences = new Map([payload, other].map((one) => [one.installation, one.aud]));
  return {
    ...createMint({ nowSeconds, privateKey, header, payload, other }),
    record,
    options: {
      keys: createKeySet({ load: async () => [record] }),
      issuer: payload.iss,
      audienceOf: (id) => audiences.get(id) ?? null,
      now: () => nowSeconds * 1000,
    },
  };
}

/** Base64url of bytes, of a text, or of an object as JSON. */
export function toSegment(part: Part): string {
  const bytes = typeof part === 'string' || Buffer.isBuffer(part) ? part : JSON.stringify(part);
  return Buffer.from(bytes as string).toString('base64url');
}

/** Invalid values of `Authorization`, by their fault. */
export type Forgeries = Record<string, string | string[] | undefined>;

/** Rows for `test.each`: every forgery with the code and the rule that must refuse it. */
export function refusedBy(code: TokenRefusal, rule: TokenRule, forgeries: Forgeries) {
  return Object.entries(forgeries).map(
    ([title, authorization]) => [title, authorization, code, rule] as const,
  );
}

/** Rows as in `refusedBy`, for tokens with the scheme `Bearer`. */
export function forged(code: TokenRefusal, rule: TokenRule, tokens: Record<string, string>) {
  return Object.entries(tokens).map(([title, token]) => [title, `Bearer ${token}`, code, rule] as const);
}

/** Returns the refusal. @throws Error if the token was accepted */
export async function refusalOf(
  authorization: string | string[] | undefined,
  options: VerifyTokenOptions,
): Promise<AppError> {
  try {
    await verifyToken(authorization, options);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('The token was accepted.');
}
