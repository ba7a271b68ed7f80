import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { type ScopedCollection, scoped } from '../../../platform/installation/scoped.ts';
import { AcknowledgementModel, type AckScope, type StoredAcknowledgement } from './model.ts';
import { policyVersion } from './privacyPolicy.ts';

/** Why an acknowledgement opens nothing. */
export type InvalidReason = 'none' | 'revoked' | 'policy_changed' | 'provider_changed';

/** User or installation of the acknowledgement. */
export interface AckOwner {
  readonly scope: AckScope;
  /** Null for the installation's. */
  readonly userId: string | null;
}

/** The installation's acknowledgements. */
export function acknowledgementsOf({
  installationId,
}: Pick<RequestContext, 'installationId'>): ScopedCollection<StoredAcknowledgement> {
  return scoped(AcknowledgementModel, installationId);
}

/** Key of a valid acknowledgement: user, current policy and provider. Unique. */
export function opensFor({ scope, userId }: AckOwner, providerHost: string): string {
  return [scope, userId ?? '', policyVersion, providerHost].join(' ');
}

/** The newest acknowledgement of a user, valid or not; a valid one comes before newer invalid ones. */
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

/** Why an acknowledgement opens nothing for a provider; null if it is valid. */
export function invalidReasonOf(
  acknowledgement: StoredAcknowledgement | null,
  providerHost: string | null,
): InvalidReason | null {
  if (!acknowledgement) return 'none';
  if (acknowledgement.revokedAt) return 'revoked';
  if (acknowledgement.policyVersion !== policyVersion) return 'policy_changed';
  return acknowledgement.providerHost === providerHost ? null : 'provider_changed';
}
