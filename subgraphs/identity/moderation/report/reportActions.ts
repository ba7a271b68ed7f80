import type { FieldProblem } from '../../../../schema/Problem.ts';
import type { Permission } from '../../../../schema/permissions.ts';
import { permissionRequired } from '../../../platform/auth/checkGuard.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { problem } from '../../../platform/errors/AppError.ts';
import type { Act } from '../../../platform/mongo/performAct.ts';
import type { ReportActionInput } from '../../identity.generated.ts';
import { listingApproval } from '../../listings/listing-moderation/approveListing.ts';
import { listingRejection } from '../../listings/listing-moderation/rejectListing.ts';
import { mediaBlock } from '../../media/removal/blockMedia.ts';
import { dealerSuspension } from '../../people/dealer/standing/suspendDealer.ts';
import { userSuspension } from '../../people/user-administration/suspendUser.ts';

type ActionType = ReportActionInput['type'];

/** An action on a report. It runs the same method as the separate operation, and needs the same permission. */
interface ReportActionRule {
  permission: Permission;
  /** Members of the input besides `targetId`. */
  takes: readonly ('revision' | 'reasonCodes' | 'reason')[];
  needs: readonly ('revision' | 'reasonCodes' | 'reason')[];
  toAct(action: ReportActionInput, context: RequestContext): Act<unknown>;
}

const rules: Readonly<Record<ActionType, ReportActionRule>> = {
  approve_listing: {
    permission: 'listings:moderate',
    takes: ['revision'],
    needs: ['revision'],
    toAct: ({ targetId, revision }, context) =>
      listingApproval({ listingId: targetId, revision: revision ?? 0 }, context),
  },
  reject_listing: {
    permission: 'listings:moderate',
    takes: ['revision', 'reasonCodes', 'reason'],
    needs: ['revision', 'reasonCodes'],
    toAct: ({ targetId, revision, reasonCodes, reason = null }, context) =>
      listingRejection(
        { listingId: targetId, revision: revision ?? 0, reasonCodes: reasonCodes ?? [], statement: reason },
        context,
      ),
  },
  suspend_dealer: {
    permission: 'dealers:suspend',
    takes: ['reason'],
    needs: ['reason'],
    toAct: ({ targetId, reason }, context) =>
      dealerSuspension({ dealerId: targetId, reason: reason ?? '' }, context),
  },
  block_media: {
    permission: 'media:moderate',
    takes: ['reason'],
    needs: [],
    toAct: ({ targetId, reason = null }, context) => mediaBlock({ mediaId: targetId, reason }, context),
  },
  suspend_user: {
    permission: 'users:suspend',
    takes: ['reason'],
    needs: ['reason'],
    toAct: ({ targetId, reason }, context) =>
      userSuspension({ userId: targetId, reason: reason ?? '' }, context),
  },
};

/**
 * Checks the permissions of all actions.
 *
 * @throws AppError `permission_required` for the first action whose permission the caller lacks
 */
export function assertMayAct(actions: readonly ReportActionInput[], { viewer }: RequestContext): void {
  for (const { type } of actions)
    if (viewer.breadthOf(rules[type].permission) !== 'any') throw permissionRequired(rules[type].permission);
}

/** Yields the errors in the members of an action. */
export function* findActionProblems(actions: readonly ReportActionInput[]): Generator<FieldProblem> {
  for (const [index, action] of actions.entries()) {
    const { takes, needs } = rules[action.type];
    for (const member of ['revision', 'reasonCodes', 'reason'] as const) {
      const isThere = action[member] !== undefined && action[member] !== null;
      const pointer = `#/actions/${index}/${member}`;
      if (!isThere && needs.includes(member))
        yield problem(pointer, 'This member is required for this action.');
      if (isThere && !takes.includes(member))
        yield problem(pointer, 'This member is not allowed for this action.');
    }
  }
}

/** Returns the implementations of the actions. */
export function toActs(actions: readonly ReportActionInput[], context: RequestContext): Act<unknown>[] {
  return actions.map((action) => rules[action.type].toAct(action, context));
}
