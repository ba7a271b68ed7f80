import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { MediaRecord } from '../../media/model.ts';
import { disputeLoader, sideOf } from './policy.ts';

/** Returns whether a file is evidence in a dispute that the viewer is a party of, or decides. */
export async function isEvidenceFor(
  { _id, purpose, usage }: Pick<MediaRecord, '_id' | 'purpose' | 'usage'>,
  context: RequestContext,
): Promise<boolean> {
  if (purpose !== 'evidence') return false;
  const uses = usage.filter(({ type }) => type === 'evidence');
  const disputes = await Promise.all(uses.map(({ id }) => context.loader(disputeLoader).load(id)));
  return disputes.some(
    (dispute) =>
      dispute?.evidence.some(({ mediaIds }) => mediaIds.includes(_id)) &&
      (sideOf(context.viewer, dispute) !== null || context.viewer.breadthOf('disputes:resolve') === 'any'),
  );
}
