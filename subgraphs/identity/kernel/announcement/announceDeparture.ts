import type { ClientSession } from 'mongoose';
import type { EventObjectType } from '../../../../schema/events.ts';
import type { InstallationContext } from '../../../platform/context/InstallationContext.ts';
import { firstOutbox } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { DepartureModel } from './model.ts';

/**
 * Publishes that an object is deleted whose record is removed, in the transaction that removes it. If the record
 * stays, emptied, it publishes that itself: `object.deleted` in its own outbox.
 *
 * @param version the last one that the record had
 * @param parties whose feeds say so
 */
export async function announceDeparture(
  context: InstallationContext,
  {
    type,
    id,
    version,
    parties = [],
  }: { type: EventObjectType; id: string; version: number; parties?: string[] },
  session: ClientSession,
): Promise<void> {
  await scoped(DepartureModel, context.installationId).insert(
    {
      _id: id,
      objectType: type,
      version: version + 1,
      at: new Date(context.platform.now()),
      parties,
      ...firstOutbox(context, 'object.deleted'),
    },
    { session },
  );
}
