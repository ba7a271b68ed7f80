import DataLoader from 'dataloader';
import type { OwnershipPolicy } from '../../../platform/auth/ownership.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { isId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { PaymentMethodModel, type PaymentMethodRecord } from './model.ts';

/** Payment methods by id, batched per request. */
function methodLoader({ installationId }: RequestContext): DataLoader<string, PaymentMethodRecord | null> {
  return new DataLoader(async (ids) => {
    const known = ids.filter((id) => isId('paymentMethod', id));
    const methods = scoped(PaymentMethodModel, installationId);
    const records = known.length > 0 ? await methods.find({ _id: { $in: known } }) : [];
    const byId = new Map(records.map((record) => [record._id, record]));
    return ids.map((id) => byId.get(id) ?? null);
  });
}

export const methodPolicy: OwnershipPolicy<PaymentMethodRecord> = {
  load: (id, context) => context.loader(methodLoader).load(id),
  isOwner: (viewer, { userId }) => userId === viewer.id,
};
