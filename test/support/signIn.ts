import mongoose from 'mongoose';
import { newId } from '../../subgraphs/platform/ids/newId.ts';
import { audienceOf, type Installation } from '../../subgraphs/platform/installation/Installation.ts';
import type { Secrets } from '../../subgraphs/platform/secrets/deriveSecret.ts';
import { createSigningKey, openPrivateKey } from '../../subgraphs/platform/token/SigningKey.ts';
import { signAccessToken } from '../../subgraphs/platform/token/signToken.ts';

/** Who signs in; a plain active user when nothing is said. */
export interface PrincipalOptions {
  installation?: Installation;
  roles?: string[];
  state?: string;
  emailVerified?: boolean;
  /** Dealers to become a member of; each is created when its id is new. */
  dealers?: { dealerId: string; role: 'owner' | 'manager' | 'agent'; locationIds?: string[] }[];
  /** Age of the sign-in, in seconds. */
  signedInSecondsAgo?: number;
}

/** A signed-in principal. */
export interface SignedIn {
  id: string;
  sessionId: string;
  token: string;
}

/** Stores a principal as the guards read him and signs a real token for him. */
export type SignIn = (options?: PrincipalOptions) => Promise<SignedIn>;

/** Makes the deployment's signing key and the function that uses it. */
export async function createSignIn(deployment: {
  secrets: Secrets;
  now: () => number;
  installation: Installation;
  issuer: string;
}): Promise<SignIn> {
  const { secrets, now, issuer } = deployment;
  const key = {
    ...createSigningKey(secrets, new Date(now())),
    state: 'current' as const,
    activatedAt: new Date(now()),
  };
  await mongoose.connection.collection<{ _id: string }>('signing_keys').insertOne({ _id: key.kid, ...key });
  return async (options = {}) => {
    const { installation = deployment.installation, signedInSecondsAgo = 0 } = options;
    const id = newId('user');
    const sessionId = newId('session');
    const at = now();
    await storePrincipal({ id, sessionId, installationId: installation.id, at }, options);
    const token = signAccessToken(
      {
        subject: id,
        installationId: installation.id,
        audience: audienceOf(installation),
        sessionId,
        clientId: 'test',
        roles: options.roles ?? ['buyer', 'seller'],
        scopes: ['user'],
        authTime: Math.floor(at / 1000) - signedInSecondsAgo,
        amr: ['pwd'],
      },
      openPrivateKey(secrets, key),
      { issuer, now },
    );
    return { id, sessionId, token };
  };
}

interface StoredIds {
  id: string;
  sessionId: string;
  installationId: string;
  at: number;
}

async function storePrincipal(
  { id, sessionId, installationId, at }: StoredIds,
  options: PrincipalOptions,
): Promise<void> {
  const { roles = ['buyer', 'seller'], state = 'active', emailVerified = true, dealers = [] } = options;
  const collection = (name: string) => mongoose.connection.collection<{ _id: string }>(name);
  const created = new Date(at);
  await collection('users').insertOne({
    _id: id,
    installationId,
    email: `${id}@example.test`,
    emailNormalized: `${id.toLowerCase()}@example.test`,
    displayName: 'Test',
    state,
    emailVerified,
    roles,
    version: 1,
    createdAt: created,
    updatedAt: created,
  } as { _id: string });
  await collection('sessions').insertOne({
    _id: sessionId,
    installationId,
    userId: id,
    clientId: 'test',
    refreshCounter: 0,
    revokedAt: null,
    idleExpiresAt: new Date(at + 30 * 86_400_000),
    absoluteExpiresAt: new Date(at + 90 * 86_400_000),
    createdAt: created,
  } as { _id: string });
  for (const { dealerId, role, locationIds = [] } of dealers) {
    await collection('dealers').updateOne(
      { _id: dealerId },
      {
        $setOnInsert: {
          installationId,
          tradeName: dealerId,
          slug: dealerId.toLowerCase(),
          state: 'active',
          version: 1,
          createdAt: created,
        },
        $push: { members: { userId: id, role, locationIds, joinedAt: created } },
      },
      { upsert: true },
    );
  }
}
