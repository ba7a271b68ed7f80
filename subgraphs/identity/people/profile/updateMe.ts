import type { ClientSession } from 'mongoose';
import type { FieldProblem } from '../../../../schema/Problem.ts';
import { deletionScheduled } from '../../../platform/auth/checkGuard.ts';
import { assertVersion } from '../../../platform/concurrency/assertVersion.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, invalidFields, problem } from '../../../platform/errors/AppError.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { inTransaction } from '../../../platform/mongo/inTransaction.ts';
import type { UpdateMeInput } from '../../identity.generated.ts';
import { notificationTopics, UserModel, type UserRecord } from '../user/model.ts';
import { checkDisplayName, checkLocale, checkName, checkPhone, checkTimeZone } from '../user/personalText.ts';
import { attachAvatar, checkAvatar } from './avatar.ts';
import { cancelDeletion } from './cancelDeletion.ts';

/** A change of the stored profile by dotted path; the last write wins per path. */
type Changes = Record<string, string | boolean | null>;

/** Members that can change while the deletion is scheduled; other changes require its cancellation. */
const takenWhileLeaving: ReadonlySet<string> = new Set(['cancelDeletion', 'expectedVersion']);

export async function updateMe(input: UpdateMeInput, context: RequestContext): Promise<UserRecord> {
  const isLeaving = context.viewer.principal.state === 'deletion_scheduled';
  const isTaken = input.cancelDeletion && Object.keys(input).every((member) => takenWhileLeaving.has(member));
  if (isLeaving && !isTaken) throw deletionScheduled();
  const changes = readChanges(input, context.installation.locales);
  if (input.avatarMediaId !== undefined) {
    changes.avatarMediaId = input.avatarMediaId;
    const problems = await checkAvatar(context, input.avatarMediaId);
    if (problems.length > 0) throw invalidFields(problems);
  }
  const stayed = input.cancelDeletion ? await cancelDeletion(context, input.expectedVersion) : null;
  return change(context, changes, stayed?.version ?? input.expectedVersion);
}

/** Returns the changed account. The transaction also attaches the new image and releases the previous one. */
async function change(
  context: RequestContext,
  changes: Changes,
  expectedVersion: number | null | undefined,
): Promise<UserRecord> {
  const { installationId, viewer } = context;
  const write = (session?: ClientSession) => update(context, changes, expectedVersion, session);
  const changed =
    'avatarMediaId' in changes
      ? await inTransaction(async (session) => {
          await attachAvatar(context, changes.avatarMediaId as string | null, expectedVersion, session);
          return write(session);
        })
      : await write();
  if (changed) return changed;
  const present = await scoped(UserModel, installationId).findOne({ _id: viewer.id });
  if (!present) throw new AppError('subject_unknown', 'This account no longer exists.');
  assertVersion(present.version, expectedVersion);
  return present;
}

/** Updates the account. Returns null if nothing changes or the version differs. */
async function update(
  { installationId, viewer, platform }: RequestContext,
  changes: Changes,
  expectedVersion: number | null | undefined,
  session: ClientSession | undefined,
): Promise<UserRecord | null> {
  if (Object.keys(changes).length === 0) return null;
  const version = typeof expectedVersion === 'number' ? { version: expectedVersion } : {};
  return scoped(UserModel, installationId).findOneAndUpdate(
    { _id: viewer.id, ...version },
    { $set: { ...changes, updatedAt: new Date(platform.now()) }, $inc: { version: 1 } },
    { session },
  );
}

function readChanges(input: UpdateMeInput, locales: readonly string[]): Changes {
  const changes: Changes = {};
  const problems: FieldProblem[] = [];
  const checks = {
    displayName: { check: checkDisplayName, clearable: false },
    givenName: { check: checkName, clearable: true },
    familyName: { check: checkName, clearable: true },
    phone: { check: checkPhone, clearable: true },
    locale: { check: checkLocale(locales), clearable: false },
    timeZone: { check: checkTimeZone, clearable: false },
  } as const;
  for (const [member, { check, clearable }] of Object.entries(checks)) {
    if (!(member in input)) continue;
    const pointer = `#/${member}`;
    const value = input[member as keyof typeof checks]?.trim() ?? null;
    const fault = value !== null ? check(value, pointer) : clearable ? null : required(pointer);
    if (fault) problems.push(fault);
    else changes[member] = value;
  }
  readPreferences(input, changes, problems);
  if (problems.length > 0) throw invalidFields(problems);
  return changes;
}

function readPreferences(input: UpdateMeInput, changes: Changes, problems: FieldProblem[]): void {
  if (!('notificationPreferences' in input)) return;
  const at = 'notificationPreferences';
  if (!input.notificationPreferences) {
    problems.push(required(`#/${at}`));
    return;
  }
  for (const topic of notificationTopics) {
    if (!(topic in input.notificationPreferences)) continue;
    const channels = input.notificationPreferences[topic];
    if (!channels) problems.push(required(`#/${at}/${topic}`));
    for (const [channel, wanted] of Object.entries(channels ?? {})) {
      const pointer = `#/${at}/${topic}/${channel}`;
      if (typeof wanted !== 'boolean') problems.push(required(pointer));
      else if (topic === 'security' && channel === 'email' && !wanted) {
        const detail = 'Emails about the security of the account cannot be turned off.';
        problems.push(problem(pointer, detail));
      } else changes[`${at}.${topic}.${channel}`] = wanted;
    }
  }
}

function required(pointer: string): FieldProblem {
  return problem(pointer, 'This member must not be empty.');
}
