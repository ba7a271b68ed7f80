import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { currentSigningKey } from '../../subgraphs/identity/people/signing-key/currentSigningKey.ts';
import type { TestStack } from '../support/stack/openTestStack.ts';

/** The parts of an issued token, and functions that sign other tokens with the deployment's key. */
export interface Forgery {
  readonly genuine: string;
  readonly header: Record<string, unknown>;
  readonly payload: Record<string, unknown>;
  /** A token of these parts, with a valid signature unless another signer is given. */
  token(parts: { header?: object; payload?: object; signer?: (input: string) => Buffer }): string;
  /** An ES256 signature (RFC 7518, 3.4) with the deployment's key, or another one. */
  es256(input: string, key?: KeyObject): Buffer;
}

/** Splits an issued token into its parts. */
export async function takeApart(genuine: string, { platform }: TestStack): Promise<Forgery> {
  const [header = {}, payload = {}] = genuine
    .split('.', 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>);
  const { privateKey } = await currentSigningKey(platform.secrets);
  const es256 = (input: string, key = privateKey) =>
    sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' });
  return {
    genuine,
    header,
    payload,
    es256,
    token(parts) {
      const input = [parts.header ?? header, parts.payload ?? payload].map(toSegment).join('.');
      return `${input}.${(parts.signer ?? es256)(input).toString('base64url')}`;
    },
  };
}

/** JSON as a segment of a token. */
export function toSegment(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** A key that the deployment has never seen. */
export function strangeKey(): KeyObject {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
}
