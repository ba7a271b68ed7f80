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
 * Changes the state of an account according to the state machine, on the state that was read, with an entry in its
 * history. All state changes use this function; of concurrent changes, one succeeds. Call `assertNotLastAdministrator`
 * before a change that may remove an administrator. Call `platform.forgetPrincipal` after the commit.
 *
 * @param user as read in the same transaction, if there is one
 * @throws AppError `invalid_transition`, `not_found`, or `concurrent_update` if its state has changed
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

/** Returns the reason after a change. Staff state it for a suspension; a user's deletion request keeps it. */
function reasonAfter(by: UserTrigger, reason: string | null): { stateReason?: string | null } {
  if (by === 'requestAccountDeletion' || by === 'cancelDeletion') return {};
  return { stateReason: by === 'suspendUser' ? reason : null };
}

/** Returns the history with a new entry. The entries of an erased account stay, without texts about the user. */
function historyWith({ stateHistory = [] }: Standing, line: StoredStateChange) {
  if (line.by !== 'eraseUser') return { $push: { stateHistory: { $each: [line], $slice: -longestHistory } } };
  const lines = [...stateHistory, line].slice(-longestHistory);
  return { $set: { stateHistory: lines.map((one) => ({ ...one, reason: null })) } };
}

/** Returns the 409 that names the state and the possible transitions. */
function invalidTransition(state: UserState, by: UserTrigger): AppError {
  return new AppError('invalid_transition', `An account in the state "${state}" cannot be ${done[by]}.`, {
    allowedFrom: { state, allowed: nextStates(state) },
  });
}
