import type { FieldProblem } from '../../../../../schema/Problem.ts';
import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { problem } from '../../../../platform/errors/AppError.ts';
import { isId } from '../../../../platform/ids/newId.ts';
import { reads } from '../../../../platform/installation/scoped.ts';
import { UserModel } from '../../../people/user/model.ts';
import type { ListingRecord } from '../record/model.ts';

/**
 * Returns the error in the buyer that a seller states, null if there is none. A user of another installation gets the
 * same message as a missing one.
 */
export async function findBuyerFault(
  buyerUserId: string | null | undefined,
  { owner }: Pick<ListingRecord, 'owner'>,
  { installationId }: RequestContext,
): Promise<FieldProblem | null> {
  if (buyerUserId === null || buyerUserId === undefined) return null;
  if (buyerUserId === owner.id) return problem('#/buyerUserId', 'The buyer must not be the seller.');
  const user = isId('user', buyerUserId)
    ? await reads(UserModel, installationId).findOne({ _id: buyerUserId }, { projection: { state: 1 } })
    : null;
  return user && user.state !== 'deleted' ? null : problem('#/buyerUserId', 'This user does not exist.');
}
