import type { RequestContext } from '../../../../platform/context/RequestContext.ts';
import { notFound } from '../../../../platform/errors/AppError.ts';
import { scoped } from '../../../../platform/installation/scoped.ts';
import { PaymentModel, type PaymentRecord } from './model.ts';

/** Reads the payment as currently stored. */
export async function readPayment(context: RequestContext, paymentId: string): Promise<PaymentRecord> {
  const payment = await scoped(PaymentModel, context.installationId).findOne({ _id: paymentId });
  if (!payment) throw notFound('The payment');
  return payment;
}
