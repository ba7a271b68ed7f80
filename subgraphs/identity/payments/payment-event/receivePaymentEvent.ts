import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { AppError, notFound } from '../../../platform/errors/AppError.ts';
import type { ReceivePaymentEventInput } from '../../identity.generated.ts';
import { providerOf } from '../payment-provider/providerOf.ts';
import { storeEvent } from './storeEvent.ts';

const longestId = 255;

/** Verifies the signature of an event and stores it. A job processes it, so the sender does not wait. */
export async function receivePaymentEvent(
  { provider: name, body, signature }: ReceivePaymentEventInput,
  context: RequestContext,
): Promise<{ received: boolean }> {
  const { platform, installation } = context;
  if (name === 'stripe' && !platform.payments.stripe) throw notFound('The payment provider');
  const provider = providerOf(platform, installation, name);
  const event = await provider.readEvent({
    body: Buffer.from(body, 'base64'),
    signature: signature ?? undefined,
  });
  if (event.id === '' || event.id.length > longestId || (event.object?.ref.length ?? 0) > longestId)
    throw new AppError('malformed_request', `Each id of an event must have 1 to ${longestId} characters.`);
  if (event.unbooked)
    platform.log.error(
      { paymentEventId: event.id, ...event.unbooked },
      'transfer not booked: finance has to return it',
    );
  await storeEvent(context, name, event);
  return { received: true };
}
