import type { ClientSession } from 'mongoose';
import type { AuditActor } from '../../../platform/audit/store/model.ts';
import { concurrentUpdate } from '../../../platform/concurrency/concurrentUpdate.ts';
import type { Platform } from '../../../platform/context/Platform.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import { announce } from '../../../platform/events/outbox.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import type { UserState } from '../../../platform/principal/Viewer.ts';
import { type StoredStateChange, UserModel, type UserRecord } from './model.ts';
import { nextState, nextStates, type Standing, type UserTrigger } from './states.ts';

/** Event that changes an account, and the members that are written with it. */
export interface StateChange {
  by: UserTrigger;
  /** Actor; a job by its name. */
  actor: AuditActor;
  /** Reason that the actor stated, for the history. */
  reason?: string | null;
  /** Further members of the record that change with the state, by dotted path. */
  set?: Readonly<Record<string, unknown>>;
}

const longestHistory = 50;
const done: Readonly<Record<UserTrigger, string>> = {
  register: 'registered',
  confirmEmailVerification: 'confirmed',
  suspendUser: 'suspended',
  reinstateUser: 'reinstated',
  requestAccountDeletion: 'scheduled for deletion',
  cancelDeletion: 'kept from a deletion',
  eraseUser: 'erased',
};

/**
 * The one way in which the state of an account changes: along the state machine, on the state that was read, with a
 * line in its history. Of concurrent changes one is made. If the change may remove an administrator,
 * `assertNotLastAdministrator` goes first. Call `platform.forgetPrincipal` once it is committed.
 *
 * @param user as it was read, in the same transaction if there is one
 * @throws AppError `invalid_transition`, `not_found`, or `concurrent_update` when it is in another state meanwhile
 */
export async function changeUserState(
  { installationId, platform }: { installationId: string; platform: Pick<Platform, 'now'> },
  user: Standing & Pick<UserRecord, '_id'>,
  { by, actor, reason = null, set = {} }: StateChange,
  options: { session?: ClientSession } = {},
): Promise<UserRecord> {
  const state = nextState(user, by);
  if (state === null) throw invalidTransition(user.state, by);
  const at = new Date(platform.now());
  const users = scoped(UserModel, installationId);
  const { $set, $push } = historyWith(user, { state, by, actor, reason, at });
  const data = { from: user.state, to: state };
  const told = announce({ platform }, 'user.state_changed', { data });
  const changed = await users.findOneAndUpdate(
    { _id: user._id, state: user.state },
    {
      $set: { ...set, ...reasonAfter(by, reason), ...$set, state, updatedAt: at },
      $push: { ...$push, ...told },
      $inc: { version: 1 },
    },
    options,
  );
  if (changed) return changed;
  const present = await users.findOne({ _id: user._id }, options);
  if (!present) throw notFound('The user');
  if (nextState(present, by) === null) throw invalidTransition(present.state, by);
  throw concurrentUpdate('account');
}

/** A reason is the staff's, for a suspension; asking for one's deletion does not make it forgotten. */
function reasonAfter(by: UserTrigger, reason: string | null): { stateReason?: string | null } {
  if (by === 'requestAccountDeletion' || by === 'cancelDeletion') return {};
  return { stateReason: by === 'suspendUser' ? reason : null };
}

/** One line more; of an erased account the lines stay, without what was written about a person. */
function historyWith({ stateHistory = [] }: Standing, line: StoredStateChange) {
  if (line.by !== 'eraseUser') return { $push: { stateHistory: { $each: [line], $slice: -longestHistory } } };
  const lines = [...stateHistory, line].slice(-longestHistory);
  return { $set: { stateHistory: lines.map((one) => ({ ...one, reason: null })) } };
}

/** 409 that names the state and where it can go from there. */
function invalidTransition(state: UserState, by: UserTrigger): AppError {
  return new AppError('invalid_transition', `An account in the state "${state}" cannot be ${done[by]}.`, {
    allowedFrom: { state, allowed: nextStates(state) },
  });
}
