import mongoose from 'mongoose';
import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { audienceOf, type Installation } from '../../../subgraphs/platform/installation/Installation.ts';
import type { Secrets } from '../../../subgraphs/platform/secrets/deriveSecret.ts';
import {
  createSigningKey,
  openPrivateKey,
  type SigningKeyRecord,
} from '../../../subgraphs/platform/token/SigningKey.ts';
import { signAccessToken } from '../../../subgraphs/platform/token/signToken.ts';

/** A signed-in principal. */
export interface SignedIn {
  id: string;
  sessionId: string;
  token: string;
}

/** Stores an active user and signs a token for it, for stacks without the identity subgraph. */
export type SignIn = (options?: { dealers?: readonly NewDealer[] }) => Promise<SignedIn>;

/** Stores a dealer with the user as its member. */
interface NewDealer {
  dealerId: string;
  role: 'owner' | 'manager' | 'agent';
}

/** Signs with the deployment's current key, which is created if there is none. */
export async function createSignIn(deployment: {
  secrets: Secrets;
  now: () => number;
  installation: Installation;
  issuer: string;
}): Promise<SignIn> {
  const { secrets, now, issuer, installation } = deployment;
  const collection = (name: string) =>
    mongoose.connection.collection<{ _id: string; [member: string]: unknown }>(name);
  const keys = mongoose.connection.collection<SigningKeyRecord & { _id: string }>('signing_keys');
  const createKey = async (): Promise<SigningKeyRecord> => {
    const activatedAt = new Date(now());
    const created = { ...createSigningKey(secrets, activatedAt, 'current'), activatedAt };
    await keys.insertOne({ _id: created.kid, ...created });
    return created;
  };
  const key = (await keys.findOne({ state: 'current' })) ?? (await createKey());
  return async ({ dealers = [] } = {}) => {
    const [id, sessionId, at] = [newId('user'), newId('session'), now()];
    const own = { installationId: installation.id, createdAt: new Date(at) };
    const roles = ['buyer', 'seller'];
    const user = { _id: id, ...own, state: 'active', emailVerified: true, roles, version: 1 };
    await collection('users').insertOne({ ...user, emailNormalized: `${id.toLowerCase()}@example.test` });
    const session = {
      userId: id,
      clientId: 'test',
      revokedAt: null,
      idleExpiresAt: new Date(at + 30 * 86_400_000),
      absoluteExpiresAt: new Date(at + 90 * 86_400_000),
    };
    await collection('sessions').insertOne({ _id: sessionId, ...own, ...session });
    for (const { dealerId, role } of dealers) {
      const members = [{ userId: id, role, locationIds: [], joinedAt: own.createdAt }];
      const dealer = { tradeName: dealerId, slug: dealerId.toLowerCase(), state: 'active', version: 1 };
      await collection('dealers').insertOne({ _id: dealerId, ...own, ...dealer, members });
    }
    const token = signAccessToken(
      {
        subject: id,
        installationId: installation.id,
        audience: audienceOf(installation),
        sessionId,
        clientId: 'test',
        roles,
        scopes: ['user'],
        authTime: Math.floor(at / 1000),
        amr: ['pwd'],
      },
      openPrivateKey(secrets, key),
      { issuer, now },
    );
    return { id, sessionId, token };
  };
}
