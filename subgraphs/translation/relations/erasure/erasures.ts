import type { ObjectDeleted, UserStateChanged } from '../../../../schema/events.ts';
import { consume } from '../../../platform/events/consume.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import type { JobRun } from '../../../platform/jobs/Job.ts';
import { LanguageSettingsModel } from '../../languages/language/model.ts';
import { TranslationModel } from '../../records/model.ts';
import { unassignTranslations } from '../../records/unassignTranslations.ts';
import { forgetObject } from './forgetObject.ts';

const name = 'translation.erasures';

/**
 * Erases the texts of deleted objects, of which only the existence of translations is kept, and unassigns the work of
 * deleted users. Both determine the remaining work themselves.
 */
export const erasuresJob = consume<ObjectDeleted | UserStateChanged>({
  name,
  types: ['object.deleted', 'user.state_changed'],
  async handle(events, run) {
    for (const event of events) {
      if (event.type === 'object.deleted') await forget(event, run);
      else if (event.payload.to === 'deleted') await unassign(event, run);
    }
  },
});

/** Longer than any request takes, in milliseconds. */
const mostOfARequestMs = 30_000;

/**
 * Checks deleted objects again: a link that was requested before, and was written after the first check, has found
 * the object alive. Without this it would be noticed only in the report of health.
 */
export const lateErasuresJob = consume<ObjectDeleted>({
  name: 'translation.late-erasures',
  types: ['object.deleted'],
  afterMs: mostOfARequestMs,
  async handle(events, run) {
    for (const [installationId, own] of Map.groupBy(events, (event) => event.installationId)) {
      const left = await reads(TranslationModel, installationId).find(
        {
          subjectId: { $in: own.map(({ object }) => object.id) },
          $or: [{ objectGoneAt: null }, { groupId: { $ne: null } }],
        },
        { projection: { subjectId: 1 } },
      );
      const ids = new Set(left.map(({ subjectId }) => subjectId));
      for (const event of own) if (ids.has(event.object.id)) await forget(event, run);
    }
  },
});

/** Erases everything that depends on the object, in one transaction. */
async function forget({ installationId, object }: ObjectDeleted, { platform }: JobRun): Promise<void> {
  const context = { installationId, platform, viewer: { id: name } };
  await forgetObject(context, { type: object.type, id: object.id }, await findDefaultCode(installationId));
}

async function findDefaultCode(installationId: string): Promise<string> {
  const settings = await reads(LanguageSettingsModel, installationId).findOne(
    { _id: installationId },
    { projection: { defaultCode: 1 } },
  );
  return settings?.defaultCode ?? '';
}

/** Unassigns the work of a deleted user. */
async function unassign({ installationId, object }: UserStateChanged, { platform }: JobRun): Promise<void> {
  await unassignTranslations({ installationId, platform }, object.id, name);
}
