import type { OwnershipPolicy } from '../../../platform/auth/ownership.ts';
import { recordLoader } from '../../../platform/context/recordLoader.ts';
import { PaymentMethodModel, type PaymentMethodRecord } from './model.ts';

/** Payment methods by id, batched per request. */
const methodLoader = recordLoader(PaymentMethodModel, { type: 'paymentMethod' });

export const methodPolicy: OwnershipPolicy<PaymentMethodRecord> = {
  load: (id, context) => context.loader(methodLoader).load(id),
  isOwner: (viewer, { userId }) => userId === viewer.id,
};
