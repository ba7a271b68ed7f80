import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { type ScopedCollection, scoped } from '../../../platform/installation/scoped.ts';
import { AcknowledgementModel, type AckScope, type StoredAcknowledgement } from './model.ts';
import { policyVersion } from './privacyPolicy.ts';

/** Reasons why an acknowledgement is not valid. */
export type InvalidReason = 'none' | 'revoked' | 'policy_changed' | 'provider_changed';

/** User or installation of the acknowledgement. */
export interface AckOwner {
  readonly scope: AckScope;
  /** User of the acknowledgement; null for the installation's. */
  readonly userId: string | null;
}

/** Returns the installation's acknowledgements. */
export function acknowledgementsOf({
  installationId,
}: Pick<RequestContext, 'installationId'>): ScopedCollection<StoredAcknowledgement> {
  return scoped(AcknowledgementModel, installationId);
}

/** Returns the unique key of a valid acknowledgement: user, current policy and provider. */
export function opensFor({ scope, userId }: AckOwner, providerHost: string): string {
  return [scope, userId ?? '', policyVersion, providerHost].join(' ');
}

/** Returns the latest acknowledgement of a user; a valid one takes precedence over later invalid ones. */
export async function findAcknowledgement(
  context: Pick<RequestContext, 'installationId'>,
  owner: AckOwner,
  providerHost: string | null,
): Promise<StoredAcknowledgement | null> {
  const acknowledgements = acknowledgementsOf(context);
  const valid =
    providerHost === null ? null : await acknowledgements.findOne({ opens: opensFor(owner, providerHost) });
  if (valid) return valid;
  return acknowledgements.findOne({ ...owner }, { sort: { acknowledgedAt: -1 } });
}

/** Returns why an acknowledgement is not valid for a provider; null if it is valid. */
export function invalidReasonOf(
  acknowledgement: StoredAcknowledgement | null,
  providerHost: string | null,
): InvalidReason | null {
  if (!acknowledgement) return 'none';
  if (acknowledgement.revokedAt) return 'revoked';
  if (acknowledgement.policyVersion !== policyVersion) return 'policy_changed';
  return acknowledgement.providerHost === providerHost ? null : 'provider_changed';
}
