import { scoped } from '../../platform/installation/scoped.ts';
import { PaymentModel } from '../payment/model.ts';
import { PaymentMethodModel } from '../payment-method/model.ts';
import type { ExportPart } from './ExportPart.ts';
import { readAll } from './readAll.ts';
import { toReadable } from './toReadable.ts';

export const payments: ExportPart = {
  file: 'payments.json',
  title: 'Payments',
  description: 'What you have paid, or begun to pay. Amounts are in minor units, as in cents.',
  collections: ['payments'],
  async *records({ installationId, user }) {
    const own = readAll(scoped(PaymentModel, installationId), { 'payer.userId': user._id }, 'createdAt');
    for await (const payment of own) {
      // What who is paid pays for it is his affair; the others only drive the work.
      const { fee: _, clientSecret: __, operation: ___, checkAt: ____, checks: _____, ...shown } = payment;
      yield toReadable(shown);
    }
  },
};

export const paymentMethods: ExportPart = {
  file: 'payment-methods.json',
  title: 'Payment methods',
  description: 'Payment methods that you keep: kind, brand, last digits and expiry. More is not stored here.',
  collections: ['payment_methods', 'payment_customers'],
  async *records({ installationId, user }) {
    const own = readAll(scoped(PaymentMethodModel, installationId), { userId: user._id }, 'createdAt');
    for await (const method of own) {
      const { clientSecret: _, userId: __, ...shown } = method;
      yield toReadable(shown);
    }
  },
};
