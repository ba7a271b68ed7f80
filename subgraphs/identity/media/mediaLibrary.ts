import type { QueryFilter } from 'mongoose';
import { dealerMembershipRequired } from '../../platform/auth/ownership.ts';
import type { RequestContext } from '../../platform/context/RequestContext.ts';
import { notFound } from '../../platform/errors/AppError.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { type Connection, findPage } from '../../platform/pagination/findPage.ts';
import type { QuerymediaLibraryArgs } from '../identity.generated.ts';
import { mediaHooks } from './mediaHooks.ts';
import { MediaModel, type MediaRecord } from './model.ts';
import { ownedMedia } from './policy.ts';
import { liveStates } from './states.ts';

/** Returns files of one owner. The owner is part of the filter, so a list never contains other owners' files. */
export async function mediaLibrary(
  args: QuerymediaLibraryArgs,
  context: RequestContext,
): Promise<Connection<MediaRecord>> {
  const { dealerId, first, after } = args;
  if (dealerId) await assertMember(dealerId, context);
  const filter = {
    $and: [ownedMedia(context.viewer, dealerId), ...toConditions(args)],
  } as QueryFilter<MediaRecord>;
  const collection = scoped(MediaModel, context.installationId);
  return findPage({ context, collection, filter, sort: [{ key: 'createdAt', direction: -1 }], first, after });
}

async function assertMember(dealerId: string, context: RequestContext): Promise<void> {
  if (context.viewer.membershipOf(dealerId)) return;
  throw (await mediaHooks.bound.loadDealer(context, dealerId))
    ? dealerMembershipRequired(dealerId)
    : notFound('The dealer');
}

function toConditions({ kind, purpose, state, unused }: QuerymediaLibraryArgs): object[] {
  const states = state?.length ? state.filter((one) => liveStates.includes(one)) : liveStates;
  const conditions: object[] = [{ state: { $in: states } }];
  if (kind?.length) conditions.push({ kind: { $in: kind } });
  if (purpose?.length) conditions.push({ purpose: { $in: purpose } });
  if (unused === true) conditions.push({ 'usage.0': { $exists: false } });
  if (unused === false) conditions.push({ 'usage.0': { $exists: true } });
  return conditions;
}
