import { AuditEventModel, type AuditEventRecord } from '../../platform/audit/model.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { AccountTokenModel } from '../account-token/model.ts';
import { ConsentModel } from '../consent/model.ts';
import { MailModel } from '../mail/model.ts';
import { SessionModel } from '../session/model.ts';
import type { ExportPart, ExportSubject } from './ExportPart.ts';
import { DataExportModel } from './model.ts';
import { readAll } from './readAll.ts';
import { toReadable } from './toReadable.ts';

export const account: ExportPart = {
  file: 'account.json',
  title: 'Your account',
  description: 'Your profile, how you want to be told about things, and the states your account was in.',
  collections: ['users'],
  async *records({ user }) {
    const { factors: _, consents: __, stateHistory, ...profile } = user;
    yield toReadable({
      ...profile,
      stateHistory: stateHistory.map((line) => ({ ...line, actor: whoOf(line.actor, user._id) })),
    });
  },
};

export const secondFactors: ExportPart = {
  file: 'second-factors.json',
  title: 'Second factors',
  description: 'What you confirm a sign-in with, without its secrets.',
  collections: [],
  async *records({ user }) {
    for (const factor of user.factors ?? []) yield toReadable(factor);
  },
};

export const consents: ExportPart = {
  file: 'consents.json',
  title: 'Consents',
  description: 'Every decision about the use of your data, the oldest first.',
  collections: ['consents'],
  async *records({ installationId, user }) {
    const decisions = scoped(ConsentModel, installationId);
    for await (const decision of readAll(decisions, { userId: user._id }, 'at')) yield toReadable(decision);
  },
};

export const sessions: ExportPart = {
  file: 'sessions.json',
  title: 'Sessions',
  description: 'Where and when you signed in. Sessions that ended long ago are not kept.',
  collections: ['sessions'],
  async *records({ installationId, user }) {
    const own = scoped(SessionModel, installationId);
    for await (const session of readAll(own, { userId: user._id }, 'createdAt')) yield toReadable(session);
  },
};

export const confirmations: ExportPart = {
  file: 'confirmations.json',
  title: 'Confirmations',
  description: 'Links that were sent to you lately, to confirm an address or to set a password.',
  collections: ['account_tokens'],
  async *records({ installationId, user }) {
    const own = scoped(AccountTokenModel, installationId);
    for await (const link of readAll(own, { userId: user._id }, 'purpose')) {
      // The id is the hash of the token.
      const { purpose, newEmail, createdAt, expiresAt, consumedAt } = link;
      yield { purpose, newEmail, createdAt, expiresAt, consumedAt };
    }
  },
};

export const mails: ExportPart = {
  file: 'mails.json',
  title: 'Mails',
  description: 'Mails that were sent to you in the last days: when and what about.',
  collections: ['mails'],
  async *records({ installationId, user }) {
    const own = scoped(MailModel, installationId);
    for await (const mail of readAll(own, { to: user.email }, 'createdAt')) yield toReadable(mail);
  },
};

export const dataExports: ExportPart = {
  file: 'data-exports.json',
  title: 'Data exports',
  description: 'Archives like this one that you asked for.',
  collections: ['data_exports'],
  async *records({ installationId, user }) {
    const own = scoped(DataExportModel, installationId);
    for await (const record of readAll(own, { userId: user._id }, 'createdAt')) yield toReadable(record);
  },
};

export const activity: ExportPart = {
  file: 'activity.json',
  title: 'Recorded actions',
  description: 'What the record of actions says that you did, and that was done about you.',
  collections: ['audit_events'],
  async *records(subject) {
    yield* actionsOf(subject, { 'actor.id': subject.user._id });
    yield* actionsOf(subject, { 'target.id': subject.user._id, 'actor.id': { $ne: subject.user._id } });
  },
};

async function* actionsOf({ installationId, user }: ExportSubject, filter: object): AsyncGenerator<object> {
  const events = scoped(AuditEventModel, installationId);
  for await (const event of readAll(events, filter, 'at')) {
    const isOwn = event.actor.id === user._id;
    // From where somebody else acted is his own affair.
    yield toReadable({
      ...event,
      actor: whoOf(event.actor, user._id),
      ipPrefix: isOwn ? event.ipPrefix : null,
    });
  }
}

/** Members of the staff are named to nobody. */
function whoOf(actor: AuditEventRecord['actor'], userId: string): Partial<AuditEventRecord['actor']> {
  return actor.id === userId || actor.type === 'system' ? actor : { type: actor.type };
}
