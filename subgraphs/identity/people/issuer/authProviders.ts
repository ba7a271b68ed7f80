import { createHash } from 'node:crypto';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { IssuerModel, type IssuerRecord } from './model.ts';

/** Returns how users sign in to this installation; nothing in it is secret. */
export async function authProviders({ installationId }: RequestContext) {
  const issuers = await IssuerModel.find({ installationId, state: 'active' })
    .sort({ _id: 1 })
    .lean<IssuerRecord[]>()
    .exec();
  return {
    version: versionOf(issuers),
    methods: [
      { type: 'password' as const, grantType: 'password' },
      ...(issuers.length > 0 ? [{ type: 'external_issuer' as const, grantType: exchange }] : []),
    ],
    issuers: issuers.map(({ _id, displayName, issuer, audiences, autoProvision }) => ({
      id: _id,
      name: displayName,
      issuer,
      audiences,
      createsAccounts: autoProvision,
    })),
  };
}

const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** Returns a version that changes exactly when the public data changes. */
function versionOf(issuers: readonly IssuerRecord[]): string {
  const states = issuers.map(({ _id, updatedAt }) => [_id, updatedAt.getTime()]);
  return createHash('sha256').update(JSON.stringify(states)).digest('hex').slice(0, 12);
}
