import { AuditEventModel } from '../../../platform/audit/store/model.ts';
import { reads } from '../../../platform/installation/scoped.ts';
import type { ExportPart, ExportSubject, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { readAll } from '../../kernel/personal-data/readAll.ts';
import { hideStaff, toReadable } from '../../kernel/personal-data/toReadable.ts';

const activity: ExportPart = {
  file: 'activity.json',
  title: 'Recorded actions',
  description: 'Audit events about actions by you and actions that concern you.',
  collections: ['audit_events'],
  async *records(subject) {
    yield* actionsOf(subject, { 'actor.id': subject.user._id });
    yield* actionsOf(subject, { 'target.id': subject.user._id, 'actor.id': { $ne: subject.user._id } });
  },
};

async function* actionsOf({ installationId, user }: ExportSubject, filter: object): AsyncGenerator<object> {
  const events = reads(AuditEventModel, installationId);
  for await (const event of readAll(events, filter, 'at')) {
    const isOwn = event.actor.id === user._id;
    // The IP address of another actor is not exported.
    yield toReadable({
      ...event,
      actor: hideStaff(event.actor, user._id),
      ipPrefix: isOwn ? event.ipPrefix : null,
    });
  }
}

export const personalData: PersonalData = {
  exports: [activity],
  kept: 'audit events contain only ids of users',
};
