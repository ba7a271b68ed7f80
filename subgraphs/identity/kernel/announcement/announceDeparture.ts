import type { ClientSession } from 'mongoose';
import type { EventObjectType } from '../../../../schema/events.ts';
import type { InstallationContext } from '../../../platform/context/InstallationContext.ts';
import { firstOutbox } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { DepartureModel } from './model.ts';

/**
 * Publishes the deletion of an object whose record is removed, in the transaction that removes it. If an emptied record
 * stays, its own outbox publishes `object.deleted` instead.
 *
 * @param version last version of the record
 * @param parties parties whose feeds contain the event
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
