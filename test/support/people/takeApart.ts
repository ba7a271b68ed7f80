import { currentSigningKey } from '../../../subgraphs/identity/people/signing-key/currentSigningKey.ts';
import { audienceOf } from '../../../subgraphs/platform/installation/Installation.ts';
import type { TestStack } from '../stack/openTestStack.ts';
import { createMint, type Mint } from './forgeTokens.ts';

/** Splits an issued token into its parts, which the deployment's key can sign again after a change. */
export async function takeApart(
  genuine: string,
  { platform, other }: TestStack,
): Promise<Mint & { readonly genuine: string }> {
  const [header, payload] = genuine
    .split('.', 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  const { privateKey } = await currentSigningKey(platform.secrets);
  const nowSeconds = Math.floor(platform.now() / 1000);
  const abroad = { installation: other.id, aud: audienceOf(other) };
  return { ...createMint({ nowSeconds, privateKey, header, payload, other: abroad }), genuine };
}
