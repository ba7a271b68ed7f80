import { scoped } from '../../../platform/installation/scoped.ts';
import type { ExportPart, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { readAll } from '../../kernel/personal-data/readAll.ts';
import { toReadable } from '../../kernel/personal-data/toReadable.ts';
import { forgetPayer } from './forgetPayer.ts';
import { PaymentMethodModel } from './model.ts';

const paymentMethods: ExportPart = {
  file: 'payment-methods.json',
  title: 'Payment methods',
  description:
    'Your stored payment methods: kind, brand, last digits and expiry. No other card data is stored.',
  collections: ['payment_methods', 'payment_customers'],
  async *records({ installationId, user }) {
    const own = readAll(scoped(PaymentMethodModel, installationId), { userId: user._id }, 'createdAt');
    for await (const method of own) {
      const { clientSecret: _, userId: __, ...shown } = method;
      yield toReadable(shown);
    }
  },
};

export const personalData: PersonalData = { exports: [paymentMethods], erase: forgetPayer };
