import { createHash } from 'node:crypto';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { type ScopedCollection, scoped } from '../../../platform/installation/scoped.ts';
import type { CheckResult } from '../../engine/contract.ts';
import { type RecordKey, toFilter } from '../../pages/record/records.ts';
import { DismissalModel, type StoredDismissal } from './model.ts';

/** Returns the installation's dismissals. */
export function dismissalsOf(context: RequestContext): ScopedCollection<StoredDismissal> {
  return scoped(DismissalModel, context.installationId);
}

/** Returns the dismissed findings of an object, in one command. */
export async function loadDismissed(
  context: RequestContext,
  key: RecordKey,
): Promise<(check: CheckResult) => boolean> {
  const found = await dismissalsOf(context).find(toFilter(key), {
    projection: { checkId: 1, findingDigest: 1 },
  });
  const digests = new Map(found.map(({ checkId, findingDigest }) => [checkId, findingDigest]));
  return (check) => digests.get(check.id) === digestOf(check);
}

/** Returns the digest of a finding. Another value or case is another finding. */
export function digestOf({ value, message }: Pick<CheckResult, 'value' | 'message'>): string {
  return createHash('sha256')
    .update(JSON.stringify([message.code, value]))
    .digest('base64url');
}
