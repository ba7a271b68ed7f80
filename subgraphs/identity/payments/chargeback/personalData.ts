import { scoped } from '../../../platform/installation/scoped.ts';
import { readPages } from '../../../platform/pagination/readPages.ts';
import type { ExportPart, PersonalData } from '../../kernel/personal-data/PersonalData.ts';
import { toReadable } from '../../kernel/personal-data/toReadable.ts';
import { PaymentModel } from '../payment/record/model.ts';
import { ChargebackModel } from './model.ts';

const pageSize = 100;

const chargebacks: ExportPart = {
  file: 'chargebacks.json',
  title: 'Chargebacks',
  description: 'Your payments that your bank has charged back. Amounts are in minor units, such as cents.',
  collections: ['chargebacks'],
  async *records({ installationId, user }) {
    const payments = scoped(PaymentModel, installationId);
    const pages = readPages(payments, { 'payer.userId': user._id }, 'createdAt', pageSize);
    for await (const page of pages) {
      if (page.length === 0) continue;
      const paymentId = { $in: page.map(({ _id }) => _id) };
      const found = await scoped(ChargebackModel, installationId).find(
        { paymentId },
        { sort: { createdAt: 1 } },
      );
      for (const { _id, paymentId: of, amount, currency, reason, state, createdAt } of found)
        yield toReadable({ _id, paymentId: of, amount, currency, reason, state, createdAt });
    }
  },
};

export const personalData: PersonalData = {
  exports: [chargebacks],
  kept: 'amounts, which the law requires; they contain no personal data',
};
