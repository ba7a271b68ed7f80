import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { UserModel, type UserRecord } from '../user/model.ts';
import type { ExternalIdentity } from './verifyExternalToken.ts';

/** Returns the user with this subject at an issuer; null if there is none. */
export function findExternalUser(
  { issuer, subject }: Pick<ExternalIdentity, 'issuer' | 'subject'>,
  { installationId }: Pick<RequestContext, 'installationId'>,
): Promise<UserRecord | null> {
  return scoped(UserModel, installationId).findOne({
    externalIdentities: { $elemMatch: { issuer: issuer.issuer, subject } },
  });
}
